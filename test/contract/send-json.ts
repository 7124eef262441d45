import type { Answer, TestService } from '../support/service.ts'

/** Sends a body as JSON, by POST unless another method is given; text is sent as it is. */
export function sendJson(
  service: TestService,
  path: string,
  body: unknown,
  headers: Record<string, string>,
  method = 'POST',
): Promise<Answer> {
  return service.ask(path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
