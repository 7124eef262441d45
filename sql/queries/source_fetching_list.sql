-- Every listed publisher, whether it is fetched, and the outcome of the last attempt.
select s.id as source, s.redistributable, f.state, f.way, f.reason, f.attempted_at as "attemptedAt", f.outcome, f.detail, f.completed_at as "completedAt"
from sources s left join source_fetching f on f.source = s.id
order by s.id
