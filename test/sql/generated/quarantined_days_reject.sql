update "quarantined_days"
set "status" = $1, "resolved_at" = $2
where "id" = $3 and "status" = $4
