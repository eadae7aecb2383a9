throw new Error('this thread never starts');
