"""Keep a store healthy: scrub, janitor, cleanup, consolidation, audit and health."""
