import type { Texts } from '../text.ts'

export const de: Texts = {
  locale: 'de-DE',
  footer: 'Candor fragt Sie nie nach einem Code oder Passwort, weder per E-Mail noch am Telefon noch im Chat.',
  phrase: 'Ihre Phrase: {phrase}',
  closesWithdrawals: 'Zu Ihrem Schutz verlässt 24 Stunden lang keine Auszahlung Ihr Konto.',
  freeze: {
    mail: 'Das waren nicht Sie? Dieser Link gilt 72 Stunden und sperrt Ihr Konto sofort. Es geschieht nichts, bevor Sie auf der Seite bestätigen:\n{link}',
    sms: 'Konto sperren: {link}',
  },
  withdrawalReasons: {
    'not-asked': 'Es sieht so aus, als hätte jemand anderes sie angefordert.',
    address: 'An diese Adresse können Coins nicht sicher gesendet werden.',
    identity: 'Wir haben Fragen zu Ihrer Identität.',
    deposit: 'Eine Einzahlung dahinter wird noch geprüft.',
    unclear: 'Ihr Zweck ist für uns nicht klar.',
    'on-wish': 'Sie haben uns gebeten, sie zu stoppen.',
  },
  inbox: {
    title: 'Posteingang im Übungsmodus',
    note: 'E-Mails und Kurznachrichten des Übungsmodus kommen hier an und gehen nirgendwo sonst hin. Die neuesten zuerst.',
    filter: 'E-Mail-Adresse oder Telefonnummer',
    show: 'Anzeigen',
    refresh: 'Aktualisieren',
    empty: 'Noch ist nichts angekommen. Fordern Sie in der App einen Code an und aktualisieren Sie dann.',
    recipient: 'An {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} ist Ihr Candor-Code',
      body: [
        'Willkommen. Geben Sie diesen Code ein, um Ihre Registrierung abzuschließen:',
        '{code}',
        'Er gilt {minutes} Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Ohne den Code geschieht nichts.',
      ],
      sms: '{code} ist Ihr Candor-Code zur Registrierung. Gilt {minutes} Minuten. Geben Sie ihn niemandem.',
    },
    'reset-code': {
      subject: '{code} ist Ihr Code zum Zurücksetzen des Passworts',
      body: [
        'Geben Sie diesen Code ein, um ein neues Passwort festzulegen:',
        '{code}',
        'Er gilt {minutes} Minuten. Wenn Sie ihn nicht angefordert haben, hat jemand Ihre Adresse eingegeben: Ihr Passwort bleibt, wie es ist.',
        'Oder öffnen Sie diesen Link: 15 Minuten lang können Sie damit auch ohne Code ein neues Passwort festlegen.',
        '{link}',
      ],
      sms: '{code} ist Ihr Candor-Code zum Zurücksetzen des Passworts. Gilt {minutes} Minuten. Geben Sie ihn niemandem.',
    },
    'reset-link': {
      subject: 'Ihr Link zum Zurücksetzen des Passworts',
      body: [
        'Öffnen Sie diesen Link innerhalb von {minutes} Minuten, um ein neues Passwort festzulegen:',
        '{link}',
        'Codes werden zurzeit nicht angenommen, weil zu viele angefordert oder ausprobiert wurden.',
        'Wenn Sie ihn nicht angefordert haben, hat jemand Ihre Adresse eingegeben: Ihr Passwort bleibt, wie es ist. Geben Sie den Link niemandem.',
      ],
      sms: 'Candor: Neues Passwort über {link} festlegen, {minutes} Minuten gültig. Nicht weitergeben.',
    },
    'new-device': {
      subject: 'Neue Anmeldung in Ihrem Konto',
      body: [
        'Jemand hat sich von einem Gerät aus, das wir noch nicht kennen, in Ihrem Konto angemeldet.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, setzen Sie jetzt Ihr Passwort zurück: Das beendet alle Sitzungen.',
      ],
      sms: 'Candor: neue Anmeldung mit {device}, {ip}, {time}. Nicht Sie? Setzen Sie jetzt Ihr Passwort zurück.',
    },
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      body: [
        'Das Passwort Ihres Kontos wurde geändert, alle anderen Sitzungen wurden beendet.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihr Passwort wurde geändert, {time}. Nicht Sie? Setzen Sie es jetzt zurück und schreiben Sie dem Support.',
    },
    'key-widened': {
      subject: 'Ein API-Schlüssel kann für Ihr Konto handeln',
      body: [
        'Für Ihr Konto wurde ein API-Schlüssel angelegt oder um Berechtigungen erweitert.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, löschen Sie den Schlüssel in der App und ändern Sie jetzt Ihr Passwort.',
      ],
      sms: 'Candor: Ein API-Schlüssel kann für Ihr Konto handeln, {time}. Nicht Sie? Jetzt löschen und Passwort ändern.',
    },
    'proof-code': {
      subject: '{code} ist Ihr Bestätigungscode',
      body: [
        'Geben Sie diesen Code ein, um zu bestätigen, dass Sie es sind:',
        '{code}',
        'Er gilt {minutes} Minuten. Wenn Sie ihn nicht angefordert haben, ist jemand in Ihrem Konto angemeldet: Setzen Sie jetzt Ihr Passwort zurück.',
      ],
      sms: '{code} ist Ihr Candor-Bestätigungscode. Gilt {minutes} Minuten. Geben Sie ihn niemandem.',
    },
    'factor-added': {
      subject: 'Ein zweiter Faktor wurde hinzugefügt',
      body: [
        'Zu Ihrem Konto wurde ein Passkey oder eine Authenticator-App hinzugefügt.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ein zweiter Faktor wurde hinzugefügt, {time}. Nicht Sie? Jetzt Passwort zurücksetzen und dem Support schreiben.',
    },
    'factor-removed': {
      subject: 'Ein zweiter Faktor wurde entfernt',
      body: [
        'Aus Ihrem Konto wurde ein Passkey oder die Authenticator-App entfernt.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ein zweiter Faktor wurde entfernt, {time}. Nicht Sie? Jetzt Passwort zurücksetzen und dem Support schreiben.',
    },
    'factor-failed': {
      subject: 'Eine Anmeldung blieb beim zweiten Faktor stehen',
      body: [
        'Jemand hat Ihr Passwort und danach einen falschen Code eingegeben.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es jetzt.',
      ],
      sms: 'Candor: richtiges Passwort, falscher zweiter Faktor, {time}. Nicht Sie? Jetzt Passwort ändern.',
    },
    'recovery-renewed': {
      subject: 'Ihre Wiederherstellungscodes wurden erneuert',
      body: [
        'Die Wiederherstellungscodes Ihres Kontos wurden ersetzt. Die alten gelten nicht mehr.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Wiederherstellungscodes erneuert, {time}. Nicht Sie? Jetzt Passwort zurücksetzen und dem Support schreiben.',
    },
    'address-code': {
      subject: '{code} ist Ihr Code für diese Adresse',
      body: [
        'Geben Sie diesen Code ein, um diese Adresse mit Ihrem Konto zu verbinden:',
        '{code}',
        'Er gilt {minutes} Minuten. Wenn Sie ihn nicht angefordert haben, können Sie diese Nachricht ignorieren: Ohne den Code geschieht nichts.',
      ],
      sms: '{code} ist Ihr Candor-Code, um diese Nummer zu verbinden. Gilt {minutes} Minuten. Geben Sie ihn niemandem.',
    },
    'address-taken': {
      subject: 'Jemand wollte Ihre Adresse mit einem Konto verbinden',
      body: [
        'Jemand wollte diese Adresse mit einem anderen Konto verbinden. Sie gehört zu Ihrem Konto, deshalb wurde nichts geändert und kein Code gesendet.',
        'Wenn Sie es waren: Eine Adresse kann nur zu einem Konto gehören. Entfernen Sie sie zuerst aus diesem Konto.',
      ],
      sms: 'Candor: Jemand wollte diese Nummer mit einem anderen Konto verbinden. Sie bleibt bei Ihrem; nichts wurde geändert.',
    },
    'address-set': {
      subject: 'Die Adressen Ihres Kontos haben sich geändert',
      body: [
        '{address} gehört jetzt zu Ihrem Konto: Damit melden Sie sich an und erhalten Nachrichten zur Sicherheit. Eine frühere Adresse derselben Art gilt nicht mehr.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: {address} gehört jetzt zu Ihrem Konto, {time}. Nicht Sie? Schreiben Sie jetzt dem Support.',
    },
    'address-removed': {
      subject: 'Eine Adresse wurde aus Ihrem Konto entfernt',
      body: [
        '{address} gehört nicht mehr zu Ihrem Konto: Damit kann sich niemand mehr anmelden, und sie erhält keine Nachrichten mehr.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: {address} gehört nicht mehr zu Ihrem Konto, {time}. Nicht Sie? Schreiben Sie jetzt dem Support.',
    },
    'payment-set': {
      subject: 'Ihr Zahlungspasswort wurde festgelegt',
      body: [
        'Das Zahlungspasswort Ihres Kontos wurde festgelegt oder geändert.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihr Zahlungspasswort wurde festgelegt, {time}. Nicht Sie? Jetzt Passwort zurücksetzen und dem Support schreiben.',
    },
    'deletion-asked': {
      subject: 'Ihr Konto wird am {date} gelöscht',
      body: [
        'Sie haben die Löschung Ihres Kontos beantragt. Am {date} wird es gelöscht und lässt sich nicht wiederherstellen.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Sie haben es sich anders überlegt, oder Sie waren es nicht? Melden Sie sich vorher an: Das bricht die Löschung ab.',
      ],
      sms: 'Candor: Ihr Konto wird am {date} gelöscht. Melden Sie sich vorher an, um das abzubrechen.',
    },
    'account-frozen': {
      subject: 'Ihr Konto ist gesperrt',
      body: [
        'Ihr Konto wurde gesperrt: Alle Sitzungen sind beendet, niemand kann sich anmelden, API-Schlüssel werden abgelehnt und offene Orders gelöscht. Für offene Positionen gelten weiterhin die Regeln des Marktes.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Um es wieder zu nutzen, schreiben Sie dem Support. Zwei Mitarbeiter prüfen, dass Sie es sind.',
      ],
      sms: 'Candor: Ihr Konto ist gesperrt, {time}. Niemand kann sich anmelden. Schreiben Sie dem Support, um es wieder zu nutzen.',
    },
    'frozen-note': {
      subject: 'Kein neues Passwort: Das Konto ist gesperrt',
      body: [
        'Jemand, vermutlich Sie, wollte das Passwort Ihres Kontos zurücksetzen. Das Konto ist gesperrt, deshalb wurde nichts geändert.',
        'Um es wieder zu nutzen, schreiben Sie dem Support. Zwei Mitarbeiter prüfen, dass Sie es sind.',
      ],
      sms: 'Candor: Ihr Konto ist gesperrt, das Passwort kann nicht zurückgesetzt werden. Schreiben Sie dem Support.',
    },
    'account-unfrozen': {
      subject: 'Ihr Konto ist wieder offen',
      body: [
        'Ihr Konto ist nicht mehr gesperrt. Sie können sich anmelden wie zuvor, und Ihre API-Schlüssel gelten wieder.',
        'Prüfen Sie Ihre Schlüssel, Ihre Adressen und den Anmeldeverlauf. Wenn Sie das nicht wollten, sperren Sie das Konto erneut und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihr Konto ist nicht mehr gesperrt, Sie können sich wieder anmelden. Nicht Sie? Schreiben Sie dem Support.',
    },
    'regain-code': {
      subject: '{code} ist Ihr Code für den Zugang',
      body: [
        'Jemand hat Ihr Passwort eingegeben und um Zugang ohne Ihren zweiten Faktor gebeten. Geben Sie diesen Code ein, um fortzufahren:',
        '{code}',
        'Er gilt {minutes} Minuten.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie es nicht waren, kennt jemand Ihr Passwort: Ändern Sie es jetzt, und geben Sie den Code niemandem.',
      ],
      sms: '{code} ist Ihr Candor-Code für den Zugang ohne zweiten Faktor. Nicht Sie? Ändern Sie jetzt Ihr Passwort. Geben Sie ihn niemandem.',
    },
    'regain-begun': {
      subject: 'Jemand will Zugang ohne Ihren zweiten Faktor',
      body: [
        'Jemand, der Ihr Passwort kennt und dieses Postfach oder Telefon liest, hat um Zugang zu Ihrem Konto ohne Ihren zweiten Faktor gebeten.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Den Zugang gibt es frühestens am {until}, sofern Sie ihn nicht verhindern. Wenn Sie es waren, ist nichts zu tun.',
        'Wenn Sie es nicht waren, melden Sie sich mit Ihrem zweiten Faktor an: Das beendet die Anfrage. Oder sperren Sie Ihr Konto.',
      ],
      sms: 'Candor: Jemand will Zugang ohne zweiten Faktor, ab {until}. Nicht Sie? Melden Sie sich mit dem zweiten Faktor an oder sperren Sie das Konto.',
    },
    'regain-link': {
      subject: 'Ihr Link für den Zugang',
      body: [
        'Die Wartezeit ist vorbei. Öffnen Sie diesen Link innerhalb von {hours} Stunden und setzen Sie ein neues Passwort; Ihre verlorenen zweiten Faktoren werden dann entfernt:',
        '{link}',
        'Der Link gilt einmal. Geben Sie ihn niemandem. Danach enden alle Sitzungen, und 24 Stunden lang verlässt keine Auszahlung Ihr Konto.',
      ],
      sms: 'Candor: {link} gibt Ihnen {hours} Stunden lang wieder Zugang. Geben Sie den Link nicht weiter.',
    },
    'regain-rejected': {
      subject: 'Ihre Anfrage wurde abgelehnt',
      body: [
        'Das gesendete Dokument stimmt nicht mit dem überein, mit dem Ihr Konto verifiziert wurde. Ihre zweiten Faktoren bleiben deshalb, wie sie sind.',
        'Melden Sie sich an und fragen Sie mit Fotos desselben Dokuments noch einmal, oder schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihre Anfrage wurde abgelehnt, das Dokument passt nicht. Versuchen Sie es mit dem verifizierten Dokument oder schreiben Sie dem Support.',
    },
    regained: {
      subject: 'Ihre zweiten Faktoren wurden entfernt',
      body: [
        'Ihr Konto wurde mit einem neuen Passwort wieder geöffnet, ohne seine zweiten Faktoren. Alle Sitzungen sind beendet.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Melden Sie sich an und fügen Sie jetzt einen Passkey oder eine Authenticator-App hinzu. Wenn Sie es nicht waren, schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihr Passwort ist neu, Ihre zweiten Faktoren sind entfernt, {time}. Fügen Sie jetzt einen hinzu. Nicht Sie? Schreiben Sie dem Support.',
    },
    'allow-list-on': {
      subject: 'Ihre Adresssperre ist eingeschaltet',
      body: [
        'Niemand kann Ihrem Konto jetzt eine Auszahlungsadresse hinzufügen. Auszahlungen gehen nur an die Adressen auf seiner Liste.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
      ],
      sms: 'Candor: Ihre Adresssperre ist eingeschaltet, {time}.',
    },
    'allow-list-ending': {
      subject: 'Ihre Adresssperre wird ausgeschaltet',
      body: [
        'Jemand will Ihre Adresssperre ausschalten. Sie gilt noch bis {until}; danach können wieder Auszahlungsadressen hinzugefügt werden, und jede wartet 24 Stunden.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie es nicht waren, behalten Sie die Sperre im Sicherheitscenter bei und ändern Sie jetzt Ihr Passwort.',
      ],
      sms: 'Candor: Ihre Adresssperre endet am {until}. Nicht Sie? Behalten Sie sie im Sicherheitscenter bei und ändern Sie Ihr Passwort.',
    },
    'withdrawal-address-added': {
      subject: 'Eine Auszahlungsadresse wurde hinzugefügt',
      body: [
        'Auszahlungen aus Ihrem Konto können ab {until} an diese {network}-Adresse gehen:',
        '{destination}',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie es nicht waren, ist jemand in Ihrem Konto angemeldet: Sperren Sie es jetzt.',
      ],
      sms: 'Candor: {network}-Auszahlungsadresse {destination} wurde hinzugefügt, nutzbar ab {until}.',
    },
    'withdrawal-address-removed': {
      subject: 'Eine Auszahlungsadresse wurde entfernt',
      body: [
        'Auszahlungen aus Ihrem Konto gehen nicht mehr an diese {network}-Adresse:',
        '{destination}',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie es nicht waren, ändern Sie jetzt Ihr Passwort.',
      ],
      sms: 'Candor: {network}-Auszahlungsadresse {destination} wurde entfernt, {time}. Nicht Sie? Ändern Sie Ihr Passwort.',
    },
    'withdrawal-requested': {
      subject: 'Eine Auszahlung wurde angefordert',
      body: [
        'Aus Ihrem Konto wurde eine Auszahlung von {quantity} {asset} angefordert. An dieser {network}-Adresse sollen {received} {asset} ankommen:',
        '{destination}',
        'Zeit: {time}',
        'Wenn Sie es nicht waren, sperren Sie jetzt Ihr Konto. Solange die Auszahlung in Prüfung ist, stoppt das sie.',
      ],
      sms: 'Candor: Auszahlung von {quantity} {asset} an {network} {destination} angefordert. Nicht Sie? Sperren Sie jetzt Ihr Konto.',
    },
    'withdrawal-approved': {
      subject: 'Ihre Auszahlung wurde freigegeben',
      body: [
        'Ihre Auszahlung von {quantity} {asset} wurde freigegeben und wird an diese {network}-Adresse gesendet:',
        '{destination}',
        'Zeit: {time}',
      ],
      sms: 'Candor: Ihre Auszahlung von {quantity} {asset} wurde freigegeben, {time}.',
    },
    'withdrawal-rejected': {
      subject: 'Ihre Auszahlung wurde abgelehnt',
      body: [
        'Ihre Auszahlung von {quantity} {asset} wurde abgelehnt. Der Betrag ist wieder verfügbar.',
        'Grund: {reason}',
        'Zeit: {time}',
        'Bei Fragen schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihre Auszahlung von {quantity} {asset} wurde abgelehnt, {time}. Den Grund zeigt die App.',
    },
    'withdrawal-paid': {
      subject: 'Ihre Auszahlung wurde ausgeführt',
      body: ['{received} {asset} sind an dieser {network}-Adresse angekommen:', '{destination}', 'Transaktion:\n{txid}', 'Zeit: {time}'],
      sms: 'Candor: Ihre Auszahlung von {quantity} {asset} wurde ausgeführt, {time}. Die App zeigt die Transaktion.',
    },
    'withdrawal-failed': {
      subject: 'Ihre Auszahlung ist fehlgeschlagen',
      body: [
        'Ihre Auszahlung von {quantity} {asset} im Netzwerk {network} konnte nicht ausgeführt werden. Der Betrag ist wieder verfügbar.',
        'Zeit: {time}',
        'Ihr Konto hat nichts verlassen. Sie können die Auszahlung erneut anfordern.',
      ],
      sms: 'Candor: Ihre Auszahlung von {quantity} {asset} ist fehlgeschlagen, {time}. Der Betrag ist wieder verfügbar.',
    },
    'deposit-credited': {
      subject: 'Eine Einzahlung wurde gutgeschrieben',
      body: [
        '{quantity} {asset} über {network} wurden Ihrem Spot-Konto gutgeschrieben.',
        'Zeit: {time}',
        'Sie können damit handeln. Ab wann Sie auszahlen können, zeigt die App.',
      ],
      sms: 'Candor: {quantity} {asset} über {network} wurden gutgeschrieben, {time}.',
    },
    'deposit-repaid': {
      subject: 'Eine Einzahlung hat Ihre Schuld getilgt',
      body: [
        '{quantity} {asset} sind über {network} angekommen. Davon haben {repaid} {asset} getilgt, was Sie für eine vom Netzwerk verworfene Einzahlung schuldeten. Offen sind noch {debt} {asset}.',
        'Zeit: {time}',
      ],
      sms: 'Candor: {repaid} {asset} einer Einzahlung haben Ihre Schuld getilgt, {time}.',
    },
    'deposit-final': {
      subject: 'Eine Einzahlung kann ausgezahlt werden',
      body: ['Ihre Einzahlung von {quantity} {asset} über {network} ist endgültig. Sie können sie jetzt auszahlen.', 'Zeit: {time}'],
      sms: 'Candor: Ihre Einzahlung von {quantity} {asset} kann jetzt ausgezahlt werden, {time}.',
    },
    'deposit-small': {
      subject: 'Eine Einzahlung liegt unter dem Minimum',
      body: [
        '{quantity} {asset} sind über {network} angekommen. Einzahlungen über dieses Netzwerk werden gutgeschrieben, sobald sie zusammen {min} {asset} erreichen. Es fehlen noch {missing} {asset}.',
        'Zeit: {time}',
        'Was angekommen ist, bleibt Ihres und zählt mit Ihren nächsten Einzahlungen.',
      ],
      sms: 'Candor: Eine Einzahlung von {quantity} {asset} wartet; zum Minimum fehlen {missing} {asset}.',
    },
    'deposit-dropped': {
      subject: 'Eine Einzahlung wurde zurückgebucht',
      body: [
        'Das Netzwerk {network} hat den Block mit Ihrer Einzahlung von {quantity} {asset} verworfen. Sie wurde deshalb von Ihrem Spot-Konto zurückgebucht.',
        'Zeit: {time}',
        'Nimmt das Netzwerk die Zahlung wieder auf, wird sie erneut gutgeschrieben.',
      ],
      sms: 'Candor: Das Netzwerk hat Ihre Einzahlung von {quantity} {asset} verworfen. Sie wurde zurückgebucht, {time}.',
    },
    'deposit-debt': {
      subject: 'Sie schulden eine vom Netzwerk verworfene Einzahlung',
      body: [
        'Das Netzwerk {network} hat den Block mit Ihrer Einzahlung von {quantity} {asset} verworfen. Ihr Spot-Konto hatte sie nicht mehr vollständig, deshalb schulden Sie {debt} {asset}.',
        'Zeit: {time}',
        'Bis zur Tilgung wird keine Auszahlung angenommen. Ihre nächsten Einzahlungen von {asset} tilgen die Schuld zuerst, oder Sie tilgen sie in der App aus Ihrem Spot-Konto.',
      ],
      sms: 'Candor: Das Netzwerk hat Ihre Einzahlung von {quantity} {asset} verworfen. Sie schulden {debt} {asset}; bis zur Tilgung wird keine Auszahlung angenommen.',
    },
    'rest-begun': {
      subject: 'Eine Pause Ihres Kontos hat begonnen',
      body: [
        'Bis {until} nimmt Ihr Konto nichts an, was ein Risiko eröffnet: keine neuen Positionen, Kredite oder Second-Orders und keine Käufe mit USDT. Schließen, Verkaufen gegen USDT und Auszahlen bleiben möglich.',
        'Niemand kann eine Pause früher beenden, weder Sie noch die Börse. Die Seite „Ihre Limits“ in der App zeigt, warum sie begonnen hat.',
      ],
      sms: 'Candor: Eine Pause Ihres Kontos hat begonnen und dauert bis {until}.',
    },
    'papers-verified': {
      subject: 'Ihre Identität ist verifiziert',
      body: ['Ihre Identität ist verifiziert. Futures, Margin, Second und der Verleih stehen Ihnen jetzt offen.'],
      sms: 'Candor: Ihre Identität ist verifiziert.',
    },
    'papers-rejected': {
      subject: 'Ihre Identitätsprüfung braucht eine Änderung',
      body: [
        'Wir konnten Ihre Identität noch nicht verifizieren. Öffnen Sie in der App „Identitätsprüfung“: Dort steht, was fehlt und warum.',
        'Nur die markierten Teile müssen Sie neu senden.',
      ],
      sms: 'Candor: Ihre Identitätsprüfung braucht eine Änderung. Die App zeigt, was fehlt.',
    },
    'papers-revoked': {
      subject: 'Ihre Identitätsprüfung wurde widerrufen',
      body: [
        'Ihre Identität ist nicht mehr verifiziert. Futures, Margin, Second und der Verleih sind für neue Orders geschlossen; Offenes können Sie schließen, und Ihr Guthaben gehört Ihnen wie zuvor.',
        'Öffnen Sie in der App „Identitätsprüfung“, um sich neu zu verifizieren, oder schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihre Identitätsprüfung wurde widerrufen. Verifizieren Sie sich in der App neu.',
    },
    'login-failed': {
      subject: 'Fehlgeschlagene Anmeldungen an Ihrem Konto',
      body: [
        'Jemand hat mehrmals falsche Passwörter für Ihr Konto eingegeben. Dies war der letzte Versuch:',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das waren, ist nichts zu tun. Wenn nicht, fügen Sie in der App im Sicherheitscenter einen zweiten Faktor hinzu: Dann reicht ein Passwort allein nicht.',
      ],
      sms: 'Candor: mehrere falsche Passwörter für Ihr Konto, zuletzt von {ip}, {time}. Nicht Sie? Fügen Sie einen zweiten Faktor hinzu.',
    },
    'recovery-used': {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      body: [
        'Statt des zweiten Faktors wurde ein Wiederherstellungscode Ihres Kontos verwendet.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ein Wiederherstellungscode wurde verwendet, {time}. Nicht Sie? Jetzt Passwort zurücksetzen und dem Support schreiben.',
    },
    'key-used': {
      subject: 'Ein API-Schlüssel wurde zum ersten Mal benutzt',
      body: [
        'Der API-Schlüssel „{label}“ Ihres Kontos wurde zum ersten Mal benutzt.',
        'IP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, löschen Sie den Schlüssel in der App und ändern Sie jetzt Ihr Passwort.',
      ],
      sms: 'Candor: Ein API-Schlüssel wurde zum ersten Mal benutzt, von {ip}, {time}. Nicht Sie? Jetzt löschen und Passwort ändern.',
    },
    'rest-ended': {
      subject: 'Ihre Pause ist vorbei',
      body: [
        'Ihre Pause ist vorbei. Ihre Limits bleiben, wie sie sind.',
        'Wenn Sie die Pause fortsetzen möchten, beginnen Sie in der App unter „Ich“ eine neue.',
      ],
      sms: 'Candor: Ihre Pause ist vorbei. Ihre Limits bleiben, wie sie sind.',
    },
    'support-answered': {
      subject: 'Der Support hat Ihnen geantwortet',
      body: [
        'Der Support hat in Ihrer Anfrage {ticket} geantwortet.',
        'Zeit: {time}',
        'Lesen Sie die Antwort in der App unter „Support“. Unsere Mitarbeitenden fragen nie nach Passwort, Code oder Zahlungspasswort.',
      ],
      sms: 'Candor: Der Support hat in Ihrer Anfrage {ticket} geantwortet. Lesen Sie die Antwort in der App.',
    },
    'firm-waiting': {
      subject: 'Ein Antrag Ihrer Firma wartet auf Sie',
      body: [
        'Antrag {number} von {firm} braucht Ihre Freigabe.',
        'Zeit: {time}',
        'Sehen Sie ihn in der App unter „Firmenkonten“ an, und geben Sie ihn nur frei, wenn Sie wissen, wofür er ist.',
      ],
      sms: 'Candor: Antrag {number} von {firm} braucht Ihre Freigabe.',
    },
    'firm-decided': {
      subject: 'Über einen Antrag Ihrer Firma wurde entschieden',
      body: [
        'Antrag {number} von {firm}: Sehen Sie, was daraus geworden ist.',
        'Zeit: {time}',
        'Lesen Sie in der App unter „Firmenkonten“, was daraus geworden ist.',
      ],
      sms: 'Candor: Antrag {number} von {firm}: Sehen Sie, was daraus geworden ist.',
    },
    'firm-invited': {
      subject: 'Eine Firma lädt Sie ein',
      body: [
        '{firm} lädt Sie ein, Mitglied zu werden.',
        'Zeit: {time}',
        'Lesen Sie in der App unter „Firmenkonten“, welche Rolle Sie bekommen sollen, und nehmen Sie nur an, wenn Sie die Firma kennen.',
      ],
      sms: 'Candor: {firm} lädt Sie ein, Mitglied zu werden.',
    },
    'firm-changed': {
      subject: 'Ihre Rolle in einer Firma wurde geändert',
      body: [
        'Ihre Rolle oder Ihre Konten bei {firm} wurden geändert.',
        'Zeit: {time}',
        'Lesen Sie in der App unter „Firmenkonten“, was Sie dort jetzt tun können. API-Schlüssel, die Sie für Konten der Firma erstellt haben, sind möglicherweise nicht mehr gültig.',
      ],
      sms: 'Candor: Ihre Rolle oder Ihre Konten bei {firm} wurden geändert.',
    },
    'firm-ended': {
      subject: 'Ihre Mitwirkung in einer Firma ist beendet',
      body: [
        'Ihre Mitgliedschaft bei {firm} oder Ihre Einladung ist beendet.',
        'Zeit: {time}',
        'Sie nutzen die Konten der Firma nicht mehr. Ihr eigenes Konto ist davon nicht betroffen.',
      ],
      sms: 'Candor: Ihre Mitgliedschaft bei {firm} oder Ihre Einladung ist beendet.',
    },
    'firm-answered': {
      subject: 'Über Ihren Antrag auf eine Firma wurde entschieden',
      body: [
        'Die Börse hat über Ihren Antrag für {firm} entschieden.',
        'Zeit: {time}',
        'Lesen Sie die Entscheidung in der App unter „Firmenkonten“.',
      ],
      sms: 'Candor: Die Börse hat über Ihren Antrag für {firm} entschieden.',
    },
    'funds-posted': {
      subject: 'Ihr Guthaben wurde angepasst',
      body: [
        'Candor hat auf Ihrem Konto eine Anpassung gebucht. Zwei Mitarbeitende haben sie mit Begründung beschlossen.',
        'Zeit: {time}',
        'Den Betrag zeigt die App unter „Buchungen“. Wenn Sie ihn nicht erwarten, schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihr Guthaben wurde angepasst, {time}. Die App zeigt den Betrag.',
    },
    'limit-raised': {
      subject: 'Eines Ihrer Limits wurde erhöht oder aufgehoben',
      body: [
        'Sie haben nach der Wartezeit bestätigt, dass eines Ihrer Limits erhöht oder aufgehoben wird. Das gilt ab jetzt.',
        'Sie können es jederzeit sofort wieder senken. Wenn Sie es nicht waren, sperren Sie jetzt Ihr Konto.',
      ],
      sms: 'Candor: Eines Ihrer Limits wurde erhöht oder aufgehoben. Nicht Sie? Sperren Sie jetzt Ihr Konto.',
    },
    'futures-warning': {
      subject: 'Eine Futures-Position steht kurz vor der Liquidation',
      body: [
        'Eine Position Ihres Futures-Kontos steht kurz vor der Liquidation.',
        'Zeit: {time}',
        'Öffnen Sie die App, um Margin hinzuzufügen oder die Position zu verkleinern. Bewegt sich der Mark-Preis weiter gegen sie, wird sie geschlossen.',
      ],
      sms: 'Candor: Eine Futures-Position steht kurz vor der Liquidation, {time}. Fügen Sie in der App Margin hinzu oder verkleinern Sie sie.',
    },
    'futures-liquidated': {
      subject: 'Eine Futures-Position wird liquidiert',
      body: [
        'Die Margin einer Ihrer Futures-Positionen deckt sie nicht mehr. Die Position wird deshalb ganz oder teilweise geschlossen.',
        'Zeit: {time}',
        'Die App zeigt jeden Schritt mit den Preisen, die ihn entschieden haben.',
      ],
      sms: 'Candor: Eine Futures-Position wird liquidiert, {time}. Die App zeigt jeden Schritt.',
    },
    'futures-deleveraged': {
      subject: 'Eine Futures-Position wurde automatisch verkleinert',
      body: [
        'Die Futures-Position eines anderen Kunden ließ sich am Markt nicht schließen. Ihre Gegenposition wurde deshalb zum selben Preis ganz oder teilweise geschlossen: Das ist Auto-Deleveraging.',
        'Zeit: {time}',
        'Die App zeigt den Preis und was von der Position übrig ist.',
      ],
      sms: 'Candor: Auto-Deleveraging hat eine Futures-Position verkleinert, {time}. Die App zeigt die Einzelheiten.',
    },
    'margin-warning': {
      subject: 'Ein Margin-Konto steht kurz vor der Liquidation',
      body: [
        'Das Niveau eines Ihrer Margin-Konten ist niedrig.',
        'Zeit: {time}',
        'Öffnen Sie die App, um zurückzuzahlen oder Werte hinzuzufügen. Sinkt das Niveau weiter, werden Werte verkauft, um die Schuld zu tilgen.',
      ],
      sms: 'Candor: Ein Margin-Konto steht kurz vor der Liquidation, {time}. Zahlen Sie in der App zurück oder fügen Sie Werte hinzu.',
    },
    'margin-liquidated': {
      subject: 'Ein Margin-Konto wird liquidiert',
      body: [
        'Das Niveau eines Ihrer Margin-Konten ist unter die Grenze gefallen. Deshalb werden Werte verkauft, um die Schuld zu tilgen.',
        'Zeit: {time}',
        'Die App zeigt jeden Schritt mit den Preisen, die ihn entschieden haben.',
      ],
      sms: 'Candor: Ein Margin-Konto wird liquidiert, {time}. Die App zeigt jeden Schritt.',
    },
    'price-alert': {
      subject: 'Ein Preisalarm wurde ausgelöst',
      body: [
        '{symbol} hat Ihren Preisalarm ausgelöst: {reached}.',
        'Zeit: {time}',
        'Ihre Preisalarme finden Sie in der App. Sie sind keine Handelsempfehlung.',
      ],
      sms: 'Candor: {symbol} hat Ihren Preisalarm ausgelöst: {reached}, {time}.',
    },
    'second-settled': {
      subject: 'Eine Second-Order wurde abgerechnet',
      body: ['Eine Ihrer Second-Orders wurde abgerechnet.', 'Zeit: {time}', 'Die App zeigt das Ergebnis und wie Sie es prüfen.'],
      sms: 'Candor: Eine Second-Order wurde abgerechnet, {time}.',
    },
    'order-filled': {
      subject: 'Eine Order wurde ausgeführt',
      body: ['Eine Ihrer Orders wurde vollständig ausgeführt.', 'Zeit: {time}', 'Die App zeigt Preis und Gebühren.'],
      sms: 'Candor: Eine Order wurde ausgeführt, {time}.',
    },
    'order-cut': {
      subject: 'Eine Order wurde teilweise ausgeführt',
      body: [
        'Eine Ihrer Orders wurde teilweise ausgeführt, der Rest wurde storniert.',
        'Zeit: {time}',
        'Die App zeigt Preis und Gebühren.',
      ],
      sms: 'Candor: Eine Order wurde teilweise ausgeführt, {time}.',
    },
    'algo-ended': {
      subject: 'Eine TWAP- oder gestaffelte Order ist beendet',
      body: [
        'Eine Ihrer TWAP- oder gestaffelten Orders ist beendet.',
        'Zeit: {time}',
        'Die App zeigt, was gekauft oder verkauft wurde, und nennt den Grund.',
      ],
      sms: 'Candor: Eine TWAP- oder gestaffelte Order ist beendet, {time}.',
    },
    'order-ended': {
      subject: 'Eine Order endete unausgeführt',
      body: ['Eine Ihrer Orders endete, bevor sie ausgeführt wurde.', 'Zeit: {time}', 'Die App nennt den Grund.'],
      sms: 'Candor: Eine Order endete unausgeführt, {time}.',
    },
    'coins-moved': {
      subject: 'Coins wurden umgebucht',
      body: [
        'Zwischen Ihren Konten oder zwischen Konten Ihrer Firma wurden Coins umgebucht.',
        'Zeit: {time}',
        'Die App zeigt Coin und Betrag.',
      ],
      sms: 'Candor: Coins wurden umgebucht, {time}.',
    },
    'loan-taken': {
      subject: 'Ein Darlehen wurde aufgenommen',
      body: ['Auf einem Ihrer Margin-Konten wurden Coins geliehen.', 'Zeit: {time}', 'Die App zeigt Coin und Betrag.'],
      sms: 'Candor: Ein Darlehen wurde aufgenommen, {time}.',
    },
    'loan-repaid': {
      subject: 'Ein Darlehen wurde zurückgezahlt',
      body: [
        'Ein Darlehen auf einem Ihrer Margin-Konten wurde ganz oder teilweise zurückgezahlt.',
        'Zeit: {time}',
        'Die App zeigt Coin und Betrag.',
      ],
      sms: 'Candor: Ein Darlehen wurde zurückgezahlt, {time}.',
    },
    'signal-refused': {
      subject: 'Ein Signal wurde abgelehnt',
      body: [
        'Ein Alarm für einen Ihrer API-Schlüssel hat keine Order aufgegeben.',
        'Zeit: {time}',
        'Das Protokoll der Signale in der App nennt den Grund.',
      ],
      sms: 'Candor: Ein Signal wurde abgelehnt, {time}.',
    },
    'staff-enrolment': {
      subject: 'Richten Sie Ihr Mitarbeiterkonto ein',
      body: [
        'Öffnen Sie diesen Link, um ein Passwort und einen Passkey für Ihr Mitarbeiterkonto festzulegen:',
        '{link}',
        'Er gilt einmal, innerhalb von 24 Stunden, und nur für Sie: Geben Sie ihn niemandem, auch nicht Kolleginnen und Kollegen.',
        'Wenn Sie ihn nicht erwartet haben, öffnen Sie ihn nicht und sagen Sie es der Administration.',
      ],
      sms: 'Candor: Mitarbeiterkonto einrichten: {link}, einmal, 24 Stunden gültig. Nur für Sie.',
    },
    'staff-address': {
      subject: 'Die Adresse Ihres Mitarbeiterkontos wurde geändert',
      body: [
        'E-Mails für Ihr Mitarbeiterkonto gehen von jetzt an an eine andere Adresse.',
        'Zeit: {time}',
        'Wenn Sie das nicht wollten, sagen Sie es jetzt der Administration.',
      ],
      sms: 'Candor: E-Mails für Ihr Mitarbeiterkonto gehen an eine andere Adresse, {time}. Nicht gewollt? Administration informieren.',
    },
    'staff-login': {
      subject: 'Die Anmeldung Ihres Mitarbeiterkontos wurde geändert',
      body: [
        'Ein Passkey, die Authenticator-App oder das Passwort Ihres Mitarbeiterkontos wurde geändert.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, sagen Sie es jetzt der Administration: Eine neue Einrichtung beendet alle Sitzungen.',
      ],
      sms: 'Candor: Die Anmeldung Ihres Mitarbeiterkontos wurde geändert, {time}. Nicht Sie? Administration informieren.',
    },
    'webhook-created': {
      subject: 'Ihrem Konto wurde ein Webhook hinzugefügt',
      body: [
        'Von jetzt an werden die Ereignisse Ihres Kontos an diese URL gesendet:',
        '{url}',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, löschen Sie den Webhook in der App und ändern Sie jetzt Ihr Passwort.',
      ],
      sms: 'Candor: Ihrem Konto wurde ein Webhook hinzugefügt, {time}. Nicht Sie? Jetzt löschen und Passwort ändern.',
    },
    'webhook-off': {
      subject: 'Ein Webhook wurde abgeschaltet',
      body: [
        'Zustellungen an einen Ihrer Webhooks schlagen seit {time} fehl. Er wurde deshalb abgeschaltet:',
        '{url}',
        'Wenn Ihr Server wieder arbeitet, schalten Sie den Webhook in der App ein und senden Sie die verpassten Ereignisse erneut. Orders und Guthaben sind nicht betroffen.',
      ],
      sms: 'Candor: Einer Ihrer Webhooks wurde abgeschaltet: Zustellungen schlagen seit {time} fehl.',
    },
    'account-exists': {
      subject: 'Sie haben bereits ein Konto',
      body: [
        'Jemand, vermutlich Sie, wollte sich mit dieser Adresse registrieren. Zu ihr gibt es schon ein Konto, ein zweites wird nicht eröffnet.',
        'Melden Sie sich wie gewohnt an. Wenn Sie Ihr Passwort vergessen haben, wählen Sie auf der Anmeldeseite „Passwort vergessen?“.',
      ],
      sms: 'Candor: Zu dieser Nummer gibt es schon ein Konto. Melden Sie sich an oder wählen Sie „Passwort vergessen?“.',
    },
  },
}
