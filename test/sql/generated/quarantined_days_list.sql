select "q"."id", "q"."source", "q"."series", "q"."market_day" as "marketDay", "q"."resolution_minutes" as "resolutionMinutes", "q"."reasons" as "reasons", "q"."details" as "details", "q"."prices", "q"."status", "q"."quarantined_at" as "quarantinedAt", "d"."address", "d"."sha256"
from "quarantined_days" as "q"
inner join "documents" as "d" on "d"."id" = "q"."document_id"
where "q"."status" = $1
order by "q"."id" desc
limit $2
