-- The ledger tells of each edition which failed reads were made good: by the source, and without fetching what was frozen.
CREATE INDEX event_source_frozen ON event (task_id, json_extract(payload, '$.sourceId')) WHERE type = 'SourceFrozen';
