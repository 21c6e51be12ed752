import type { Texts } from '../text.ts'

export const en: Texts = {
  locale: 'en-GB',
  footer: 'Candor never asks you for a code or a password: not by email, not by phone, not in a chat.',
  phrase: 'Your phrase: {phrase}',
  closesWithdrawals: 'To protect you, no withdrawal leaves your account for 24 hours.',
  freeze: {
    mail: 'It was not you? This link, valid for 72 hours, freezes your account at once. Nothing happens until you confirm on the page:\n{link}',
    sms: 'Freeze account: {link}',
  },
  withdrawalReasons: {
    'not-asked': 'It seems that somebody else asked for it.',
    address: 'Coins can’t safely go to this address.',
    identity: 'We have questions about your identity.',
    deposit: 'A deposit behind it is being looked at.',
    unclear: 'Its purpose is not clear to us.',
    'on-wish': 'You asked us to stop it.',
  },
  inbox: {
    title: 'Practice inbox',
    note: 'Emails and text messages sent in practice mode arrive here and go nowhere else. Newest first.',
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
        'Welcome. Enter this code to finish signing up:',
        '{code}',
        'It is valid for {minutes} minutes. If you did not ask for it, ignore this message: nothing happens without the code.',
      ],
      sms: '{code} is your Candor code to sign up. Valid for {minutes} minutes. Never give it to anyone.',
    },
    'reset-code': {
      subject: '{code} is your code to reset your password',
      body: [
        'Enter this code to set a new password:',
        '{code}',
        'It is valid for {minutes} minutes. If you did not ask for it, someone entered your address: your password stays as it is.',
        'Or open this link within 15 minutes to set a new password without the code.',
        '{link}',
      ],
      sms: '{code} is your Candor code to reset your password. Valid for {minutes} minutes. Never give it to anyone.',
    },
    'reset-link': {
      subject: 'Your link to reset your password',
      body: [
        'Open this link within {minutes} minutes to set a new password:',
        '{link}',
        'Codes are not accepted at the moment, because too many were requested or tried.',
        'If you did not ask for it, someone entered your address: your password stays as it is. Never give the link to anyone.',
      ],
      sms: 'Candor: open {link} within {minutes} minutes to reset your password. Never pass it on.',
    },
    'new-device': {
      subject: 'New login to your account',
      body: [
        'Someone logged in to your account from a device that we have not seen before.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was you, there is nothing to do. If not, reset your password now: that ends all sessions.',
      ],
      sms: 'Candor: new login from {device}, {ip}, {time}. Not you? Reset your password now.',
    },
    'password-changed': {
      subject: 'Your password was changed',
      body: [
        'The password of your account was changed, and all other sessions were ended.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: your password was changed, {time}. Not you? Reset it now and write to support.',
    },
    'key-widened': {
      subject: 'An API key can act for your account',
      body: [
        'An API key was created for your account, or got more permissions.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, delete the key in the app and change your password now.',
      ],
      sms: 'Candor: an API key can act for your account, {time}. Not you? Delete it and change your password now.',
    },
    'proof-code': {
      subject: '{code} is your confirmation code',
      body: [
        'Enter this code to confirm that it is you:',
        '{code}',
        'It is valid for {minutes} minutes. If you did not ask for it, someone is logged in to your account: reset your password now.',
      ],
      sms: '{code} is your Candor confirmation code. Valid for {minutes} minutes. Never give it to anyone.',
    },
    'factor-added': {
      subject: 'A second factor was added',
      body: [
        'A passkey or an authenticator app was added to your account.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: a second factor was added, {time}. Not you? Reset your password now and write to support.',
    },
    'factor-removed': {
      subject: 'A second factor was removed',
      body: [
        'A passkey or the authenticator app was removed from your account.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: a second factor was removed, {time}. Not you? Reset your password now and write to support.',
    },
    'factor-failed': {
      subject: 'A login stopped at the second factor',
      body: [
        'Someone entered your password and then a wrong code.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, someone knows your password: change it now.',
      ],
      sms: 'Candor: right password, wrong second factor, {time}. Not you? Change your password now.',
    },
    'recovery-renewed': {
      subject: 'Your recovery codes were renewed',
      body: [
        'The recovery codes of your account were replaced. The old ones no longer work.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: your recovery codes were renewed, {time}. Not you? Reset your password now and write to support.',
    },
    'address-code': {
      subject: '{code} is your code to add this address',
      body: [
        'Enter this code to add this address to your account:',
        '{code}',
        'It is valid for {minutes} minutes. If you did not ask for it, ignore this message: nothing happens without the code.',
      ],
      sms: '{code} is your Candor code to add this number. Valid for {minutes} minutes. Never give it to anyone.',
    },
    'address-taken': {
      subject: 'Someone tried to add your address to an account',
      body: [
        'Someone tried to add this address to another account. It belongs to yours, so nothing was changed and no code was sent.',
        'If it was you: an address can belong to one account only. Remove it from this account first.',
      ],
      sms: 'Candor: someone tried to add this number to another account. It stays with yours; nothing was changed.',
    },
    'address-set': {
      subject: 'The addresses of your account changed',
      body: [
        '{address} now belongs to your account: it logs in and gets messages about its security. An earlier address of the same kind no longer does.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: {address} now belongs to your account, {time}. Not you? Write to support now.',
    },
    'address-removed': {
      subject: 'An address was removed from your account',
      body: [
        '{address} no longer belongs to your account: it can’t log in and gets no more messages.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: {address} no longer belongs to your account, {time}. Not you? Write to support now.',
    },
    'payment-set': {
      subject: 'Your payment password was set',
      body: [
        'The payment password of your account was set or changed.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: your payment password was set, {time}. Not you? Reset your password now and write to support.',
    },
    'deletion-asked': {
      subject: 'Your account will be deleted on {date}',
      body: [
        'You asked to delete your account. On {date} it is erased and can’t be brought back.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'Changed your mind, or it was not you? Log in before that day: this cancels the deletion.',
      ],
      sms: 'Candor: your account will be deleted on {date}. Log in before then to cancel.',
    },
    'account-frozen': {
      subject: 'Your account is frozen',
      body: [
        'Your account was frozen: all sessions have ended, nobody can log in, API keys are refused, and open orders are cancelled. Open positions keep following the rules of their market.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'To use it again, write to support. Two members of our staff check that it is you.',
      ],
      sms: 'Candor: your account is frozen, {time}. Nobody can log in. To use it again, write to support.',
    },
    'frozen-note': {
      subject: 'Your password can’t be reset: the account is frozen',
      body: [
        'Someone, probably you, asked to reset the password of your account. The account is frozen, so nothing was changed.',
        'To use it again, write to support. Two members of our staff check that it is you.',
      ],
      sms: 'Candor: your account is frozen, so its password can’t be reset. To use it again, write to support.',
    },
    'account-unfrozen': {
      subject: 'Your account is open again',
      body: [
        'Your account is no longer frozen. You can log in as before, and your API keys work again.',
        'Check your keys, your addresses and your login history. If you did not ask for this, freeze the account again and write to support.',
      ],
      sms: 'Candor: your account is no longer frozen. You can log in again. Not you? Write to support now.',
    },
    'regain-code': {
      subject: '{code} is your code to regain access',
      body: [
        'Someone entered your password and asked for access without your second factor. Enter this code to go on:',
        '{code}',
        'It is valid for {minutes} minutes.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, somebody knows your password: change it now, and give the code to no one.',
      ],
      sms: '{code} is your Candor code to regain access without your second factor. Not you? Change your password now. Never give it to anyone.',
    },
    'regain-begun': {
      subject: 'Someone asked for access without your second factor',
      body: [
        'Someone who knows your password and reads this mailbox or phone asked for access to your account without your second factor.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'They get it on {until} at the earliest, unless you stop it. If it was you, there is nothing to do.',
        'If it was not you, log in with your second factor: that stops the request. Or freeze your account.',
      ],
      sms: 'Candor: access without your second factor was asked for, from {until} on. Not you? Log in with your second factor or freeze the account.',
    },
    'regain-link': {
      subject: 'Your link to regain access',
      body: [
        'The waiting time is over. Open this link within {hours} hours, set a new password, and your lost second factors are removed:',
        '{link}',
        'The link works once. Never give it to anyone. Afterwards all sessions end, and no withdrawal leaves your account for 24 hours.',
      ],
      sms: 'Candor: open {link} within {hours} hours to regain access. Never pass it on.',
    },
    'regain-rejected': {
      subject: 'Your request for access was declined',
      body: [
        'We could not match the document that you sent with the one that your account was verified with, so your second factors stay as they are.',
        'Log in and ask again with photos of the same document, or write to support.',
      ],
      sms: 'Candor: your request for access was declined, the document does not match. Ask again with the verified document, or write to support.',
    },
    regained: {
      subject: 'Your second factors were removed',
      body: [
        'With a new password, your account was opened again without its second factors. All sessions have ended.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'Log in and add a passkey or an authenticator app now. If it was not you, write to support.',
      ],
      sms: 'Candor: your password is new and your second factors are removed, {time}. Add a new one now. Not you? Write to support.',
    },
    'allow-list-on': {
      subject: 'Your address lock is on',
      body: [
        'Nobody can add a withdrawal address to your account now. Withdrawals go only to those that are on its list.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
      ],
      sms: 'Candor: your address lock is on, {time}.',
    },
    'allow-list-ending': {
      subject: 'Your address lock is being switched off',
      body: [
        'Someone asked to switch off your address lock. It counts until {until}; after that, withdrawal addresses can be added again, and each waits 24 hours.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, keep the lock on in the security centre and change your password now.',
      ],
      sms: 'Candor: your address lock ends on {until}. Not you? Keep it on in the security centre and change your password now.',
    },
    'withdrawal-address-added': {
      subject: 'A withdrawal address was added',
      body: [
        'Withdrawals from your account can go to this {network} address from {until} on:',
        '{destination}',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, someone is logged in to your account: freeze it now.',
      ],
      sms: 'Candor: {network} withdrawal address {destination} was added, usable from {until}.',
    },
    'withdrawal-address-removed': {
      subject: 'A withdrawal address was removed',
      body: [
        'No more withdrawals from your account go to this {network} address:',
        '{destination}',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, change your password now.',
      ],
      sms: 'Candor: {network} withdrawal address {destination} was removed, {time}. Not you? Change your password now.',
    },
    'withdrawal-requested': {
      subject: 'A withdrawal was requested',
      body: [
        'A withdrawal of {quantity} {asset} from your account was requested. {received} {asset} are to arrive at this {network} address:',
        '{destination}',
        'Time: {time}',
        'If it was not you, freeze your account now. As long as the withdrawal is under review, this stops it.',
      ],
      sms: 'Candor: withdrawal of {quantity} {asset} to {network} {destination} requested. Not you? Freeze your account now.',
    },
    'withdrawal-approved': {
      subject: 'Your withdrawal was approved',
      body: [
        'Your withdrawal of {quantity} {asset} was approved and will be sent to this {network} address:',
        '{destination}',
        'Time: {time}',
      ],
      sms: 'Candor: your withdrawal of {quantity} {asset} was approved, {time}.',
    },
    'withdrawal-rejected': {
      subject: 'Your withdrawal was rejected',
      body: [
        'Your withdrawal of {quantity} {asset} was rejected. The amount is available again.',
        'Reason: {reason}',
        'Time: {time}',
        'If you have questions, write to support.',
      ],
      sms: 'Candor: your withdrawal of {quantity} {asset} was rejected, {time}. The app says why.',
    },
    'withdrawal-paid': {
      subject: 'Your withdrawal was paid',
      body: ['{received} {asset} have arrived at this {network} address:', '{destination}', 'Transaction:\n{txid}', 'Time: {time}'],
      sms: 'Candor: your withdrawal of {quantity} {asset} was paid, {time}. The app shows the transaction.',
    },
    'withdrawal-failed': {
      subject: 'Your withdrawal failed',
      body: [
        'Your withdrawal of {quantity} {asset} on the {network} network could not be paid. The amount is available again.',
        'Time: {time}',
        'Nothing has left your account. You can request the withdrawal again.',
      ],
      sms: 'Candor: your withdrawal of {quantity} {asset} failed, {time}. The amount is available again.',
    },
    'deposit-credited': {
      subject: 'A deposit was credited',
      body: [
        '{quantity} {asset} from {network} were credited to your Spot account.',
        'Time: {time}',
        'You can trade with them. The app shows from when they can be withdrawn.',
      ],
      sms: 'Candor: {quantity} {asset} from {network} were credited, {time}.',
    },
    'deposit-repaid': {
      subject: 'A deposit repaid what you owed',
      body: [
        '{quantity} {asset} arrived from {network}. Of these, {repaid} {asset} repaid what you owed for a deposit that its network had dropped. You still owe {debt} {asset}.',
        'Time: {time}',
      ],
      sms: 'Candor: {repaid} {asset} of a deposit repaid what you owed, {time}.',
    },
    'deposit-final': {
      subject: 'A deposit can be withdrawn',
      body: ['Your deposit of {quantity} {asset} from {network} is final. It can be withdrawn now.', 'Time: {time}'],
      sms: 'Candor: your deposit of {quantity} {asset} can be withdrawn now, {time}.',
    },
    'deposit-small': {
      subject: 'A deposit is below the minimum',
      body: [
        '{quantity} {asset} arrived from {network}. Deposits on this network are credited once they reach {min} {asset} together. {missing} {asset} are still missing.',
        'Time: {time}',
        'What has arrived stays yours and counts with your next deposits.',
      ],
      sms: 'Candor: a deposit of {quantity} {asset} waits, because {missing} {asset} are missing to the minimum.',
    },
    'deposit-dropped': {
      subject: 'A deposit was taken back',
      body: [
        'The {network} network dropped the block with your deposit of {quantity} {asset}, so it was taken back from your Spot account.',
        'Time: {time}',
        'If the network takes up the transfer again, it is credited again.',
      ],
      sms: 'Candor: the network dropped your deposit of {quantity} {asset}, so it was taken back, {time}.',
    },
    'deposit-debt': {
      subject: 'You owe a deposit that its network dropped',
      body: [
        'The {network} network dropped the block with your deposit of {quantity} {asset}. Your Spot account no longer had all of it, so you owe {debt} {asset}.',
        'Time: {time}',
        'No withdrawal is accepted until it is repaid. Your next deposits of {asset} repay it first, or you repay it from your Spot account in the app.',
      ],
      sms: 'Candor: the network dropped your deposit of {quantity} {asset}. You owe {debt} {asset}; no withdrawal is accepted until it is repaid.',
    },
    'rest-begun': {
      subject: 'A pause of your account has begun',
      body: [
        'Until {until}, your account accepts nothing that opens risk: no new positions, loans or orders of Second, and no purchases with USDT. Closing, selling for USDT and withdrawing stay possible.',
        'Nobody can end a pause earlier, neither you nor the exchange. The page “Your limits” in the app shows why it began.',
      ],
      sms: 'Candor: a pause of your account has begun and lasts until {until}.',
    },
    'papers-verified': {
      subject: 'Your identity is verified',
      body: ['Your identity is verified. Futures, Margin, Second and lending are open to you now.'],
      sms: 'Candor: your identity is verified.',
    },
    'papers-rejected': {
      subject: 'Your identity check needs a change',
      body: [
        'We could not verify your identity yet. Open “Identity verification” in the app: it says what is missing and why.',
        'Only the marked parts must be sent again.',
      ],
      sms: 'Candor: your identity check needs a change. Open the app to see what is missing.',
    },
    'papers-revoked': {
      subject: 'Your identity verification was revoked',
      body: [
        'Your identity is not verified any more. Futures, Margin, Second and lending are closed to new orders; what is open can be closed, and your funds are yours as before.',
        'Open “Identity verification” in the app to verify yourself again, or write to support.',
      ],
      sms: 'Candor: your identity verification was revoked. Open the app to verify yourself again.',
    },
    'login-failed': {
      subject: 'Failed logins to your account',
      body: [
        'Someone entered wrong passwords for your account several times. This was the last attempt:',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was you, there is nothing to do. If not, add a second factor in the security centre of the app: then a password alone is not enough.',
      ],
      sms: 'Candor: several wrong passwords for your account, last from {ip}, {time}. Not you? Add a second factor.',
    },
    'recovery-used': {
      subject: 'A recovery code was used',
      body: [
        'A recovery code of your account was used in place of the second factor.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, reset your password now and write to support.',
      ],
      sms: 'Candor: a recovery code was used, {time}. Not you? Reset your password now and write to support.',
    },
    'key-used': {
      subject: 'An API key was used for the first time',
      body: [
        'The API key “{label}” of your account was used for the first time.',
        'IP address: {ip}\nTime: {time}',
        'If it was not you, delete the key in the app and change your password now.',
      ],
      sms: 'Candor: an API key was used for the first time, from {ip}, {time}. Not you? Delete it and change your password now.',
    },
    'rest-ended': {
      subject: 'Your break is over',
      body: [
        'Your break is over. Your limits stay as they are.',
        'If you want to go on with the break, you can begin another one in the app, under Me.',
      ],
      sms: 'Candor: your break is over. Your limits stay as they are.',
    },
    'support-answered': {
      subject: 'Support answered you',
      body: [
        'Support answered in your ticket {ticket}.',
        'Time: {time}',
        'Read it in the app under “Support”. Our staff never ask for your password, a code or your payment password.',
      ],
      sms: 'Candor: support answered in your ticket {ticket}. Read it in the app.',
    },
    'firm-waiting': {
      subject: 'A request of your firm waits for you',
      body: [
        'Request {number} of {firm} needs your approval.',
        'Time: {time}',
        'Look at it in the app under “Firm accounts”, and approve it only if you know what it is for.',
      ],
      sms: 'Candor: Request {number} of {firm} needs your approval.',
    },
    'firm-decided': {
      subject: 'A request of your firm was decided',
      body: [
        'Request {number} of {firm}: see what became of it.',
        'Time: {time}',
        'Read in the app under “Firm accounts” what became of it.',
      ],
      sms: 'Candor: Request {number} of {firm}: see what became of it.',
    },
    'firm-invited': {
      subject: 'A firm invites you',
      body: [
        '{firm} invites you to become a member.',
        'Time: {time}',
        'Read in the app under “Firm accounts” which role it offers, and accept only if you know the firm.',
      ],
      sms: 'Candor: {firm} invites you to become a member.',
    },
    'firm-changed': {
      subject: 'Your role in a firm changed',
      body: [
        'Your role or your accounts in {firm} were changed.',
        'Time: {time}',
        'Read in the app under “Firm accounts” what you can do there now. API keys that you made for its accounts may have ended.',
      ],
      sms: 'Candor: Your role or your accounts in {firm} were changed.',
    },
    'firm-ended': {
      subject: 'Your part in a firm has ended',
      body: [
        'Your membership of {firm}, or your invitation, has ended.',
        'Time: {time}',
        'You no longer use the accounts of the firm. Your own account is not affected.',
      ],
      sms: 'Candor: Your membership of {firm}, or your invitation, has ended.',
    },
    'firm-answered': {
      subject: 'Your application for a firm was decided',
      body: [
        'The exchange decided about your application for {firm}.',
        'Time: {time}',
        'Read the decision in the app under “Firm accounts”.',
      ],
      sms: 'Candor: The exchange decided about your application for {firm}.',
    },
    'funds-posted': {
      subject: 'Your balance was adjusted',
      body: [
        'Candor posted an adjustment to your account. Two members of staff decided it and stated a reason.',
        'Time: {time}',
        'The amount is in the app under “Asset records”. If you don’t expect it, write to support.',
      ],
      sms: 'Candor: your balance was adjusted, {time}. The app shows the amount.',
    },
    'limit-raised': {
      subject: 'One of your limits was raised or removed',
      body: [
        'You confirmed the raise or the removal of one of your limits after the waiting period. It counts from now on.',
        'You can lower it again at any time, at once. If it was not you, freeze your account now.',
      ],
      sms: 'Candor: one of your limits was raised or removed. Not you? Freeze your account now.',
    },
    'futures-warning': {
      subject: 'A Futures position is close to liquidation',
      body: [
        'A position of your Futures account is close to liquidation.',
        'Time: {time}',
        'Open the app to add margin or to reduce the position. If the mark price moves further against it, it will be closed.',
      ],
      sms: 'Candor: a Futures position is close to liquidation, {time}. Open the app to add margin or reduce it.',
    },
    'futures-liquidated': {
      subject: 'A Futures position is being liquidated',
      body: [
        'The margin of one of your Futures positions no longer covers it, so the position is being closed, in part or completely.',
        'Time: {time}',
        'The app shows each step, with the prices that decided it.',
      ],
      sms: 'Candor: a Futures position is being liquidated, {time}. The app shows each step.',
    },
    'futures-deleveraged': {
      subject: 'A Futures position was reduced automatically',
      body: [
        'Another customer’s Futures position could not be closed in the market. Yours on the other side was closed at the same price, in part or completely: this is auto-deleveraging.',
        'Time: {time}',
        'The app shows the price and what is left of the position.',
      ],
      sms: 'Candor: auto-deleveraging reduced a Futures position, {time}. The app shows the details.',
    },
    'margin-warning': {
      subject: 'A Margin account is close to liquidation',
      body: [
        'The level of one of your Margin accounts is low.',
        'Time: {time}',
        'Open the app to repay or to add assets. If the level falls further, assets will be sold to repay the debt.',
      ],
      sms: 'Candor: a Margin account is close to liquidation, {time}. Open the app to repay or add assets.',
    },
    'margin-liquidated': {
      subject: 'A Margin account is being liquidated',
      body: [
        'The level of one of your Margin accounts fell below its limit, so assets are being sold to repay the debt.',
        'Time: {time}',
        'The app shows each step, with the prices that decided it.',
      ],
      sms: 'Candor: a Margin account is being liquidated, {time}. The app shows each step.',
    },
    'price-alert': {
      subject: 'A price alert was reached',
      body: [
        '{symbol} has reached your price alert: {reached}.',
        'Time: {time}',
        'Price alerts are kept in the app. They are no advice to trade.',
      ],
      sms: 'Candor: {symbol} has reached your price alert: {reached}, {time}.',
    },
    'second-settled': {
      subject: 'An order of Second was settled',
      body: ['One of your orders of Second was settled.', 'Time: {time}', 'The app shows the result and how to check it.'],
      sms: 'Candor: an order of Second was settled, {time}.',
    },
    'order-filled': {
      subject: 'An order was filled',
      body: ['One of your orders was filled completely.', 'Time: {time}', 'The app shows its price and fees.'],
      sms: 'Candor: an order was filled, {time}.',
    },
    'order-cut': {
      subject: 'An order was partly filled',
      body: ['One of your orders was filled in part, and the rest was cancelled.', 'Time: {time}', 'The app shows its price and fees.'],
      sms: 'Candor: an order was partly filled, {time}.',
    },
    'algo-ended': {
      subject: 'A TWAP or scaled order ended',
      body: ['One of your TWAP or scaled orders ended.', 'Time: {time}', 'The app shows what it bought or sold, and why it ended.'],
      sms: 'Candor: a TWAP or scaled order ended, {time}.',
    },
    'order-ended': {
      subject: 'An order ended unfilled',
      body: ['One of your orders ended before it was filled.', 'Time: {time}', 'The app says why.'],
      sms: 'Candor: an order ended unfilled, {time}.',
    },
    'coins-moved': {
      subject: 'Coins were moved between accounts',
      body: [
        'Coins were moved between your accounts, or between accounts of your firm.',
        'Time: {time}',
        'The app shows the coin and the amount.',
      ],
      sms: 'Candor: coins were moved between accounts, {time}.',
    },
    'loan-taken': {
      subject: 'A loan was taken',
      body: ['Coins were borrowed in one of your Margin accounts.', 'Time: {time}', 'The app shows the coin and the amount.'],
      sms: 'Candor: a loan was taken, {time}.',
    },
    'loan-repaid': {
      subject: 'A loan was repaid',
      body: [
        'A loan in one of your Margin accounts was repaid, in part or completely.',
        'Time: {time}',
        'The app shows the coin and the amount.',
      ],
      sms: 'Candor: a loan was repaid, {time}.',
    },
    'signal-refused': {
      subject: 'A signal was refused',
      body: ['An alert for one of your API keys placed no order.', 'Time: {time}', 'The log of its signals in the app has the reason.'],
      sms: 'Candor: a signal was refused, {time}.',
    },
    'staff-enrolment': {
      subject: 'Set up your staff account',
      body: [
        'Open this link to set a password and a passkey for your staff account:',
        '{link}',
        'It works once, within 24 hours, and it is for you alone: give it to nobody, not even to a colleague.',
        'If you did not expect it, leave it and tell your administrators.',
      ],
      sms: 'Candor: set up your staff account at {link}, once, within 24 hours. For you alone.',
    },
    'staff-address': {
      subject: 'The address of your staff account was changed',
      body: [
        'Mail for your staff account goes to another address from now on.',
        'Time: {time}',
        'If you did not ask for it, tell your administrators now.',
      ],
      sms: 'Candor: mail for your staff account goes to another address, {time}. Not you? Tell your administrators.',
    },
    'staff-login': {
      subject: 'The login of your staff account was changed',
      body: [
        'A passkey, the authenticator app or the password of your staff account was changed.',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, tell your administrators now: a new enrolment ends all sessions.',
      ],
      sms: 'Candor: the login of your staff account was changed, {time}. Not you? Tell your administrators now.',
    },
    'webhook-created': {
      subject: 'A webhook was added to your account',
      body: [
        'From now on, the events of your account are sent to this URL:',
        '{url}',
        'Device: {device}\nIP address: {ip}\nTime: {time}',
        'If it was not you, delete the webhook in the app and change your password now.',
      ],
      sms: 'Candor: a webhook was added to your account, {time}. Not you? Delete it and change your password now.',
    },
    'webhook-off': {
      subject: 'A webhook was switched off',
      body: [
        'Deliveries to one of your webhooks have failed since {time}, so it was switched off:',
        '{url}',
        'When your server works again, switch the webhook on in the app and send the missed events again. Your orders and balances are not affected.',
      ],
      sms: 'Candor: one of your webhooks was switched off: deliveries have failed since {time}.',
    },
    'account-exists': {
      subject: 'You already have an account',
      body: [
        'Someone, probably you, tried to sign up with this address. It already has an account, so we did not open another.',
        'Log in as usual. If you forgot your password, choose “Forgot your password?” on the login page.',
      ],
      sms: 'Candor: this number already has an account. Log in, or choose "Forgot your password?".',
    },
  },
}
