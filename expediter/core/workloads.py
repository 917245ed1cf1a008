"""The prompts that requests bring, and which request of a run brings which.

Every prompt keeps one of the forms that the pocket targets were trained on, with a combination that their training text does
not contain: the model knows the kind of question and has never read this one.
"""

import hashlib
from functools import lru_cache

PROMPTS: dict[str, tuple[str, ...]] = {
    "stories": (
        "Tell a short story about a pilot and a paper boat by the sea. Use simple words.",
        "Tell a short story about a postman and a mysterious letter in the snow. Use simple words.",
        "Tell a short story about a queen and an old map in a library. Use simple words.",
        "Tell a short story about a wizard and a broken clock in a castle. Use simple words.",
        "Tell a short story about a baker and a birthday cake at the market. Use simple words.",
        "Tell a short story about a little girl and a red balloon in a big city. Use simple words.",
        "Tell a short story about a teacher and a wooden box at school. Use simple words.",
        "Tell a short story about a clever child and a magic hat at school. Use simple words.",
        "Tell a short story about a king and a noisy train on a mountain. Use simple words.",
        "Tell a short story about a little boy and a delivery van in a forest. Use simple words.",
        "Write a short story for children about a fox and a lost key in the snow. Use simple words.",
        "Write a short story for children about a bear and a birthday cake in a forest. Use simple words.",
        "Write a short story for children about a penguin and a warm blanket on an island. Use simple words.",
        "Write a short story for children about a monkey and a noisy train at school. Use simple words.",
        "Write a short story for children about a duck and a paper boat on a rainy day. Use simple words.",
        "Write a short story for children about a horse and a golden egg at the market. Use simple words.",
        "Write a short story for children about a lion and a bright star in a castle. Use simple words.",
        "Write a short story for children about a sheep and a red balloon on a mountain. Use simple words.",
        "Tell a short story about a farmer who meets a fox at night.",
        "Tell a short story about a baker who meets a mouse in the kitchen.",
        "Tell a short story about a robot who meets a dog on a rainy day.",
        "Tell a short story about a queen who meets a frog in a castle.",
        "Tell a short story about a sailor who meets a whale by the sea.",
        "Tell a short story about a teacher who meets a monkey at school.",
        "Tell a short story about a painter who meets a cat in a library.",
        "Tell a short story about a gardener who meets a bee on a farm.",
        "Tell a short story about a doctor who meets a horse at the market.",
        "Tell a short story about a delivery driver who meets a sheep on a mountain.",
        "Tell a short story about a grandmother who meets a duck in a small village.",
        "Tell a short story about a little girl who meets a turtle on an island.",
    ),
    "explanations": (
        "Explain how a train works in simple words.",
        "Explain how a van works in simple words.",
        "Explain how a clock works in simple words.",
        "Explain how a computer works in simple words.",
        "Explain how a language works in simple words.",
        "Explain how a small garden works in simple words.",
        "Explain how honey is made in simple words.",
        "Explain how electricity is made in simple words.",
        "Explain how a bridge is made in simple words.",
        "Explain how birds make a house in simple words.",
        "Explain how bees fly in simple words.",
        "Explain how a letter is delivered in simple words.",
        "Explain how to make bread in simple words.",
        "Explain how to save money in simple words.",
        "Explain how to grow a plant in simple words.",
        "Explain how to write a letter in simple words.",
        "Explain how to help a friend in simple words.",
        "Explain how to build a bridge in simple words.",
        "Explain why plants need water in simple words.",
        "Explain why birds fly in simple words.",
        "Explain why we need money in simple words.",
        "Explain why we need energy in simple words.",
        "Explain why the sun is bright in simple words.",
        "Explain why rain is good for plants in simple words.",
        "Explain why leaves are green in simple words.",
        "Explain why we learn in simple words.",
        "Explain what energy is in simple words.",
        "Explain what a battery is in simple words.",
        "Explain what rain is in simple words.",
        "Explain what a friend is in simple words.",
        "Explain what a post office is in simple words.",
        "Explain what the heart does in simple words.",
        "Give me five tips about how to make bread.",
        "Give me five tips about how to save money.",
        "Give me five tips about how to make honey.",
        "Give me five tips about how to grow a plant.",
    ),
    "arithmetic": (
        "Noah had 25 marbles and gave 9 to Rose. How many marbles are left? Explain step by step.",
        "Ivy had 16 apples and gave 7 to Tom. How many apples are left? Explain step by step.",
        "Leo had 22 letters and gave 8 to Kate. How many letters are left? Explain step by step.",
        "Grace had 30 coins and gave 12 to Ben. How many coins are left? Explain step by step.",
        "Paul had 15 balls and gave 6 to Zoe. How many balls are left? Explain step by step.",
        "Emma had 20 cookies and gave 5 to Sam. How many cookies are left? Explain step by step.",
        "Jack had 28 pencils and gave 11 to Anna. How many pencils are left? Explain step by step.",
        "Olivia had 17 flowers and gave 3 to Henry. How many flowers are left? Explain step by step.",
        "Finn had 24 eggs and gave 10 to David. How many eggs are left? Explain step by step.",
        "Mia had 19 books and gave 2 to Leo. How many books are left? Explain step by step.",
        "Sam had 26 parcels and gave 14 to Clara. How many parcels are left? Explain step by step.",
        "Rose has 8 marbles. Jack gives Rose 5 more. How many marbles does Rose have now? Explain step by step.",
        "Ben has 12 stickers. Grace gives Ben 7 more. How many stickers does Ben have now? Explain step by step.",
        "Kate has 15 apples. Paul gives Kate 4 more. How many apples does Kate have now? Explain step by step.",
        "Tom has 9 coins. Emma gives Tom 11 more. How many coins does Tom have now? Explain step by step.",
        "Zoe has 6 books. Noah gives Zoe 8 more. How many books does Zoe have now? Explain step by step.",
        "Henry has 14 eggs. Ivy gives Henry 3 more. How many eggs does Henry have now? Explain step by step.",
        "Anna has 10 flowers. Finn gives Anna 9 more. How many flowers does Anna have now? Explain step by step.",
        "David has 7 letters. Olivia gives David 6 more. How many letters does David have now? Explain step by step.",
        "Clara has 13 cookies. Tom gives Clara 12 more. How many cookies does Clara have now? Explain step by step.",
        "Leo has 16 balls. Mia gives Leo 2 more. How many balls does Leo have now? Explain step by step.",
        "Emma has 18 pencils. Ben gives Emma 10 more. How many pencils does Emma have now? Explain step by step.",
        "Sam has 11 parcels. Kate gives Sam 5 more. How many parcels does Sam have now? Explain step by step.",
        "A van carries 6 boxes with 4 letters in each box. How many letters does it carry? Explain step by step.",
        "A van carries 3 boxes with 12 apples in each box. How many apples does it carry? Explain step by step.",
        "A van carries 5 boxes with 8 parcels in each box. How many parcels does it carry? Explain step by step.",
        "A van carries 7 boxes with 10 books in each box. How many books does it carry? Explain step by step.",
        "A van carries 2 boxes with 15 eggs in each box. How many eggs does it carry? Explain step by step.",
        "A van carries 8 boxes with 5 balls in each box. How many balls does it carry? Explain step by step.",
        "A van carries 9 boxes with 3 cookies in each box. How many cookies does it carry? Explain step by step.",
        "A van carries 5 boxes with 11 coins in each box. How many coins does it carry? Explain step by step.",
        "A van carries 6 boxes with 7 pencils in each box. How many pencils does it carry? Explain step by step.",
        "A van carries 3 boxes with 14 marbles in each box. How many marbles does it carry? Explain step by step.",
        "A van carries 4 boxes with 6 stickers in each box. How many stickers does it carry? Explain step by step.",
        "What is 4 times 15? Show the steps.",
        "What is 9 times 11? Show the steps.",
    ),
    "code": (
        "Write a Python function that multiplies two numbers.",
        "Write a Python function that subtracts two numbers.",
        "Write a Python function that divides two numbers.",
        "Write a Python function that adds three numbers.",
        "Write a Python function that checks if a number is odd.",
        "Write a Python function that checks if a number is positive.",
        "Write a Python function that checks if a list is sorted.",
        "Write a Python function that checks if a word is in a list.",
        "Write a Python function that checks if a string is a palindrome.",
        "Write a Python function that finds the smallest number in a list.",
        "Write a Python function that finds the largest item in a list.",
        "Write a Python function that finds the longest word in a sentence.",
        "Write a Python function that finds the average of two numbers.",
        "Write a Python function that finds the sum of a list.",
        "Write a Python function that counts the letters in a word.",
        "Write a Python function that counts the items in a list.",
        "Write a Python function that counts the vowels in a sentence.",
        "Write a Python function that counts the even numbers in a list.",
        "Write a Python function that sorts a list of numbers.",
        "Write a Python function that sorts a list of words.",
        "Write a Python function that reverses a list.",
        "Write a Python function that reverses a word.",
        "Write a Python function that removes vowels from a string.",
        "Write a Python function that removes duplicates from a string.",
        "Write a Python function that merges two lists.",
        "Write a Python function that converts Fahrenheit to Celsius.",
        "Write a Python function that makes a list of even numbers.",
        "Write a Python function that makes a list of prime numbers.",
        "Write a Python function that prints the even numbers from 1 to n.",
        "Write a Python function that prints the numbers from n to 1.",
        "Write a Python function that sums the numbers from 1 to n.",
        "Write a Python function that computes the square of n.",
        "Write a Python function that returns the first n Fibonacci numbers.",
        "Write a Python function that returns the largest of two numbers.",
        "Write a Python function that reads a file and counts its words.",
        "Write a Python function that reads a file and prints its lines.",
    ),
}


@lru_cache(maxsize=256)
def _shuffled(workload: str, seed: int, lap: int) -> tuple[str, ...]:
    """One workload's prompts in the order of one lap, the same on every machine and with every version of numpy."""
    return tuple(sorted(PROMPTS[workload], key=lambda text: hashlib.sha256(f"{seed}/{lap}/{text}".encode()).digest()))


def prompt(workload: str, seed: int, number: int) -> tuple[str, str]:
    """The workload and the prompt of request `number` (from 0) of a run with this seed.

    "mixed" takes the workloads in turn, so any four requests in a row hold one of each. No prompt comes twice before all of
    its workload have come once. Raises ValueError for an unknown workload or a negative number.
    """
    if number < 0:
        raise ValueError(f"number is {number}: requests are counted from 0.")
    index = number
    if workload == "mixed":
        names = tuple(PROMPTS)
        workload, index = names[number % len(names)], number // len(names)
    if workload not in PROMPTS:
        raise ValueError(f"workload is {workload!r}: use mixed, {', '.join(PROMPTS)}.")
    lap, place = divmod(index, len(PROMPTS[workload]))
    return workload, _shuffled(workload, seed, lap)[place]
