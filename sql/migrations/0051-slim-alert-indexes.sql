-- Ten thousand alerts may go off in one transaction: one index by alert instead of two, of events as of deliveries (whose order
-- within an alert is sorted as it is asked for), and room in each page for the first day that an alert is judged on.
alter table alerts set (fillfactor = 50);

drop index alert_events_alert;
drop index alert_events_once_a_day;
create unique index alert_events_once_a_day on alert_events (alert_id, (case when kind = 'triggered' then market_day end));

drop index alert_deliveries_alert;
