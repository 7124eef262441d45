select "fetched_at"
from "documents"
where "source" = $1
order by "fetched_at" desc
limit $2
