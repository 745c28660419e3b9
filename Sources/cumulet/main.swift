print("cumulet")
