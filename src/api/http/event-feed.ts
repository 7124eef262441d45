/** What stands between an endpoint that answers with events and the stream that they are sent on (`event-streams.ts`). */

export interface EventSink {
  /** An event as text, its empty line included. */
  write(text: string): void
  /** Says good-bye. */
  end(reason: 'shutdown' | 'key'): void
  isOver(): boolean
  /** Resolves once the client has read what was written, or is gone. */
  drained(): Promise<void>
}

/** Feeds a stream once it is open; resolves with how to stop. */
export type EventFeed = (sink: EventSink) => Promise<() => void>
