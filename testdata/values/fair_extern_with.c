int far = 9;
