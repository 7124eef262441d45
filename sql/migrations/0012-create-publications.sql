-- What is known of the publications of each source: what was asked for and answered, what is due, and what was worth telling.

create table publications (
  source text not null references sources on delete cascade,
  market_day date not null,
  attempts integer not null check (attempts > 0),
  outcome text not null check (outcome in ('complete', 'incomplete', 'not_published', 'unreachable', 'refused')),
  asked_at timestamptz not null,
  ask_again_at timestamptz,
  primary key (source, market_day)
);
comment on table publications is 'The last time a source was asked for a market day, by the process''s clock. Whether the day is there is told by the prices alone.';
comment on column publications.attempts is 'How often it was asked for; after each in vain the next pause is longer.';
comment on column publications.ask_again_at is 'Not before this instant, null where the day is complete: a day the publisher has nothing for is not asked for for ever.';

create table source_states (
  source text primary key references sources on delete cascade,
  away_since timestamptz,
  refused_since timestamptz,
  failures integer not null default 0,
  catch_up_at timestamptz,
  reread_at timestamptz
);
comment on table source_states is 'How each source that is fetched is doing, so that a restart neither loses nor repeats an alarm.';
comment on column source_states.away_since is 'When the first day became late that has not been followed by a complete one; null while the source delivers.';
comment on column source_states.refused_since is 'When the source first refused the credentials; null while it accepts them.';
comment on column source_states.failures is 'Failures to reach it in a row while catching up.';
comment on column source_states.catch_up_at is 'When its holes are looked for next; null: at once.';
comment on column source_states.reread_at is 'When its last days are read again next, for corrections.';

create table source_events (
  id bigint generated always as identity primary key,
  source text not null references sources on delete cascade,
  kind text not null check (kind in ('late', 'back', 'quarantined', 'corrected', 'refused')),
  market_day date,
  occurred_at timestamptz not null,
  facts jsonb not null default '{}',
  closed_at timestamptz,
  announced_at timestamptz,
  constraint source_events_once unique nulls not distinct (source, kind, market_day, occurred_at)
);
comment on table source_events is 'What users and operators care about, each once: written in the transaction that finds it, announced afterwards.';
comment on column source_events.kind is
  'late: a day was not complete in time. back: the first complete day after that. quarantined: a day failed the gate. corrected: values were replaced by later ones of the same source. refused: the source refused the credentials.';
comment on column source_events.market_day is 'Null where no single day is concerned.';
comment on column source_events.closed_at is 'When what was wrong came to an end: the day is complete, the source accepts the credentials.';
comment on column source_events.announced_at is 'When it was written to the log; null: not yet.';
create index source_events_open on source_events (source, kind) where closed_at is null;
create index source_events_unannounced on source_events (id) where announced_at is null;
create unique index source_events_late_once on source_events (source, market_day) where kind = 'late';
