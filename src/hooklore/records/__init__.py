"""Values: records, drafts, hook events, ids, and read access. No I/O and no clock."""
