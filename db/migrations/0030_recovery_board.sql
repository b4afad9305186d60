-- The board shows what was closed lately and counts what recurs: both look back a number of days (domain 10).
CREATE INDEX recovery_item_by_day ON recovery_item (created_at);
