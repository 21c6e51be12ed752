/** The paths of the app as in the specification, independent of the app's own table, with which they are compared. */
export const routes = [
  '/',
  '/login',
  '/register',
  '/password',
  '/market',
  '/spot',
  '/contract',
  '/Second',
  '/lever',
  '/contractkline',
  '/entrust',
  '/optionentrust',
  '/property',
  '/propertyRecord',
  '/transfer',
  '/lend',
  '/me',
  '/safety',
  '/kyc',
  '/apikeys',
  '/webhooks',
  '/setting',
  '/lang',
  '/about',
] as const

export const withTabBar: readonly string[] = ['/', '/deal', '/contract', '/lever', '/Second', '/spot', '/property', '/me', '/market']
