import secrets

print(secrets.token_hex())
