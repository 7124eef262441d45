/** Pages on which a Developer key is requested and the address is confirmed, outside the API. */
export const DEVELOPER_KEY_PATH = '/developer-key'
export const CONFIRMATION_PATH = `${DEVELOPER_KEY_PATH}/confirm`
