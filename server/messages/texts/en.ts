import type { Texts } from '../text.ts'

export const en: Texts = {
  locale: 'en-GB',
  footer: 'Candor never asks you for a code or a password, not by mail, not by phone, not in a chat.',
  inbox: {
    title: 'Practice inbox',
    note: 'Mail and short messages of practice mode arrive here and go nowhere else. Newest first.',
    filter: 'Email address or phone number',
    show: 'Show',
    refresh: 'Refresh',
    empty: 'Nothing has arrived yet. Ask for a code in the app, then refresh.',
    recipient: 'To {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} is your Candor code',
      body: [
        'Welcome. Enter this code to finish your registration:',
        '{code}',
        'It is good for {minutes} minutes. If you did not ask for it, ignore this message: without the code nothing happens.',
      ],
      sms: '{code} is your Candor code to register. Good for {minutes} minutes. Never give it to anyone.',
    },
    'reset-code': {
      subject: '{code} is your code to reset your password',
      body: [
        'Enter this code to set a new password:',
        '{code}',
        'It is good for {minutes} minutes. If you did not ask for it, somebody typed your address: your password stays as it is.',
        'Or open this link: it sets a new password without the code, for 15 minutes.',
        '{link}',
      ],
      sms: '{code} is your Candor code to reset your password. Good for {minutes} minutes. Never give it to anyone.',
    },
    'new-device': {
      subject: 'New login to your account',
      body: [
        'Somebody logged in to your account from a device that we have not seen before.',
        'Device: {device}\nAddress: {ip}\nTime: {time}',
        'If it was you, there is nothing to do. If not, reset your password now: that ends every login.',
      ],
      sms: 'Candor: new login from {device}, {ip}, {time}. Not you? Reset your password now.',
    },
    'password-changed': {
      subject: 'Your password was changed',
      body: [
        'The password of your account was changed, and other logins were ended.',
        'Device: {device}\nAddress: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: your password was changed, {time}. Not you? Reset it now and write to support.',
    },
    'key-widened': {
      subject: 'An API key may act for your account',
      body: [
        'An API key was made for your account, or may do more than before.',
        'Device: {device}\nAddress: {ip}\nTime: {time}',
        'If it was not you, delete the key in the app and change your password now.',
      ],
      sms: 'Candor: an API key may act for your account, {time}. Not you? Delete it and change your password now.',
    },
    'webhook-created': {
      subject: 'A webhook was added to your account',
      body: [
        'From now on an address on the internet is told what happens in your account:',
        '{url}',
        'Device: {device}\nAddress: {ip}\nTime: {time}',
        'If it was not you, delete the webhook in the app and change your password now.',
      ],
      sms: 'Candor: a webhook was added to your account, {time}. Not you? Delete it and change your password now.',
    },
    'webhook-off': {
      subject: 'A webhook was switched off',
      body: [
        'Nothing has arrived at one of your webhooks since {time}, so it was switched off:',
        '{url}',
        'When the receiver works again, switch the webhook on in the app and have what it missed sent again. Orders and balances are not affected.',
      ],
      sms: 'Candor: one of your webhooks was switched off: nothing has arrived there since {time}.',
    },
    'account-exists': {
      subject: 'You already have an account',
      body: [
        'Somebody, probably you, wanted to register with this address. It already has an account, so no second one is opened.',
        'Log in as usual. If you forgot your password, choose “Forgot your password?” on the login page.',
      ],
      sms: 'Candor: this number already has an account. Log in, or choose "Forgot your password?".',
    },
  },
}
