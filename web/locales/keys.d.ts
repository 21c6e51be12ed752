/** Every key that `t` may be given. A new area of texts is one line here. */
import type common from './en/common.json'
import type fields from './en/fields.json'
import type shell from './en/shell.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: {
      app: {
        common: typeof common
        fields: typeof fields
        shell: typeof shell
      }
    }
  }
}
