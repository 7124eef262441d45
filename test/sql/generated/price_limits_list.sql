select *
from "price_limits"
order by "valid_from"
