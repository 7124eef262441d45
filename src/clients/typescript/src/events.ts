/** A server-sent event, parsed from the body of a response. */
export interface ServerEvent {
  id?: string
  event?: string
  data?: string
  /** Reconnection delay in milliseconds. */
  retry?: number
}

/** Yields the events of a stream. Throws if nothing, not even a comment, arrives for `silenceMs`. */
export async function* serverEvents(response: Response, silenceMs: number): AsyncGenerator<ServerEvent> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silenceMs)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) yield parse(block)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parse(block: string): ServerEvent {
  const event: ServerEvent = {}
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`
    else if (name === 'retry') event.retry = Number(value)
    else if (name === 'id' || name === 'event') event[name] = value
  }
  return event
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the stream fell silent')), ms)
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}
