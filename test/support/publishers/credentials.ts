/** The only credentials that the test publishers accept; they must never appear in a log. */
export const CREDENTIALS = {
  gmeLogin: 'example-login-7f3a',
  gmePassword: 'example-password-91c2"\\',
  entsoeToken: 'example-entsoe-token-5d0e',
  eiaKey: 'example-eia-key-a4b8',
  ternaId: 'example-terna-id-22c7',
  ternaSecret: 'example-terna-secret-0b9d',
} as const
