/** Where a Developer key is asked for, and where the address is confirmed: pages, outside the API. */
export const DEVELOPER_KEY_PATH = '/developer-key'
export const CONFIRMATION_PATH = `${DEVELOPER_KEY_PATH}/confirm`
