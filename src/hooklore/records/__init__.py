"""Values: records, drafts, hook events, ids, and who may read them. No I/O and no clock."""
