/** Every key that `t` may be given. A new area of texts is one line here. */
import type about from './en/about.json'
import type agreement from './en/agreement.json'
import type auth from './en/auth.json'
import type common from './en/common.json'
import type fields from './en/fields.json'
import type home from './en/home.json'
import type me from './en/me.json'
import type refusals from './en/refusals.json'
import type setting from './en/setting.json'
import type shell from './en/shell.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: {
      app: {
        about: typeof about
        agreement: typeof agreement
        auth: typeof auth
        common: typeof common
        fields: typeof fields
        home: typeof home
        me: typeof me
        refusals: typeof refusals
        setting: typeof setting
        shell: typeof shell
      }
    }
  }
}
