-- First and last interval of each fundamental, in order. No parameters.
select series, area, min(starts_at) as first, max(starts_at) as last
from fundamentals
group by series, area
order by series collate "C", area collate "C"
