/** The paths of the app as the specification writes them, apart from the app's own table, so that the two are compared. */
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
  '/apikeys',
  '/webhooks',
  '/setting',
  '/lang',
  '/about',
] as const

export const withTabBar: readonly string[] = ['/', '/deal', '/contract', '/lever', '/Second', '/spot', '/property', '/me', '/market']
