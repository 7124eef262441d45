/** How the service calls itself: in attribution texts, the OpenAPI document and the pages. */
export const SERVICE_NAME = 'Italian Energy Prices'

/** Version of the contract, not of the software. Spec: "Versioning". */
export const CONTRACT_VERSION = '1.0.0'

/** The version segment, part of the base URL. Spec: "General rules", 1. */
export const BASE_PATH = '/v1'

/** Spec: "General rules", 8. */
export const DISCLAIMER =
  'Source data stays subject to the terms of the original sources and is redistributed for information only. ' +
  'The API may not be resold as it is as a competing service. Forecasts are statistical estimates, not financial advice.'

/** Pages, outside the API, on which a Developer key is requested and the e-mail address is confirmed. */
export const DEVELOPER_KEY_PATH = '/developer-key'
export const CONFIRMATION_PATH = `${DEVELOPER_KEY_PATH}/confirm`
