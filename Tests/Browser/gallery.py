"""The screens of the example apps, one after the other, as a person comes to them."""
import re

from cookcloud import save, write
from world import DIALOG, NOTICE

LONG = "Grandmother's slow-cooked beef cheeks with root vegetables, red wine and far too many cloves of garlic"


def recipes(world):
    phone = world.open("phone")
    phone.sees("No recipes yet")
    world.take(phone, "empty")
    phone.click("button", "New")
    phone.reach("textbox", "Title")
    world.take(phone, "editor-new")
    phone.click("button", "Cancel")
    phone.wait(f"!{DIALOG}")
    for title in ("Lentil soup", "Onion tart", LONG):
        write(phone, title)
    world.take(phone, "list")
    phone.click("link", LONG)
    phone.reach("button", "Edit")
    world.take(phone, "recipe-long")
    phone.click("button", "Back to My Recipes")
    phone.click("searchbox", "Search recipes")
    phone.type("qqq")
    phone.sees("Nothing found")
    world.take(phone, "search-nothing")
    phone.script("document.activeElement.select()")
    phone.key("Backspace")
    phone.click("link", "Lentil soup")
    phone.click("button", "Edit")
    phone.click("textbox", re.compile("ingredients", re.I))
    phone.type("Lentils\nCarrots\nCumin")
    phone.click("textbox", re.compile("instructions", re.I))
    phone.type("Boil it.")
    world.take(phone, "editor")
    save(phone)
    phone.sees("Cumin")
    world.take(phone, "recipe")
    phone.click("button", "Share")
    phone.reach("button", "Begin Sharing")
    world.take(phone, "sharing-begin")
    phone.click("button", "Begin Sharing")
    phone.reach("button", "Copy Link")
    world.cloud.device(f"friend-{world.number}", world.account("bob"))
    world.take(phone, "sharing-link")
    phone.script("""
        const access = document.querySelector('dialog[open] select');
        access.value = [...access.options].find(option => option.text === 'Only who is invited').value;
        access.dispatchEvent(new Event('input', {bubbles: true}));
    """)
    phone.click("textbox", "E-mail or phone number")
    phone.type(world.account("bob"))
    world.take(phone, "sharing")
    phone.click("button", "Invite")
    phone.sees("Invited, can view")
    world.take(phone, "sharing-invited")
    phone.click("button", "Stop Sharing")
    phone.wait("document.querySelectorAll('dialog[open]').length === 2")
    world.take(phone, "sharing-stop")
    phone.click("button", "Cancel")
    phone.click("button", "Done")
    phone.wait(f"!{DIALOG}")
    phone.click("button", "Back to My Recipes")
    phone.size(390, 844, touch=True)
    phone.swipe("Onion tart")
    world.take(phone, "swiped")
    phone.press(200, 700)
    phone.click("tab", "Community")
    phone.sees("Nobody has cooked yet")
    world.take(phone, "community-empty")
    phone.click("tab", "Shared")
    world.take(phone, "shared-empty")
    phone.click("tab", "My Recipes")
    phone.app.say("offline")
    phone.click("button", "Refresh")
    phone.sees("cannot be reached")
    world.take(phone, "list-offline")
    phone.click("button", "New")
    phone.click("textbox", "Title")
    phone.type("Pie")
    phone.click("button", "Save")
    phone.reach("button", "OK")
    world.take(phone, "alert-offline")
    phone.click("button", "OK")
    phone.click("button", "Cancel")
    phone.wait(f"!{DIALOG}")
    world.expected += ["ERR_CONNECTION", "ERR_INCOMPLETE_CHUNKED_ENCODING"]
    phone.app.kill()
    phone.wait(NOTICE)
    world.take(phone, "app-lost")


def recipes_signed_out(world):
    phone = world.open("phone", None)
    phone.sees("Nobody is signed in")
    world.take(phone, "list")


def fasting(world):
    alice, bob = world.open("phone", "alice", "Fasting"), world.open("other", "bob", "Fasting")
    alice.sees("Next fast")
    world.take(alice, "begin")
    alice.click("tab", "History")
    alice.sees("Nothing here yet")
    world.take(alice, "history-empty")
    alice.click("tab", "Timer")
    alice.click("button", "Begin")
    alice.sees("Fasting since")
    world.take(alice, "timer")
    alice.click("button", "End the fast")
    alice.click("tab", "History")
    alice.sees("0.0 of 16")
    world.take(alice, "history")
    alice.click("button", "Share")
    alice.click("button", "Begin Sharing")
    alice.reach("button", "Copy Link")
    world.take(alice, "sharing")
    address = alice.evaluate("document.querySelector('[data-copy]').dataset.copy")
    bob.click("tab", "Friends")
    bob.sees("No friends yet")
    world.take(bob, "friends-empty")
    bob.app.device.run(f"{world.cloud.build}/examples/Fasting/debug/fasting", "accept", address)
    bob.click("button", "Refresh")
    bob.sees("0.0 of 16")
    world.take(bob, "friends")


def last_person(world):
    phone = world.open("phone", "alice", "LastPerson")
    phone.sees("Nobody yet")
    world.take(phone, "nobody")
    phone.click("textbox", "Your name")
    phone.type("Ada Lovelace\n")
    phone.sees("Ada Lovelace")
    world.take(phone, "somebody")
    phone.app.say("offline")
    phone.click("button", "Refresh")
    phone.sees("This did not work")
    world.take(phone, "offline")


def stage(world):
    app = world.cloud.stage(f"phone:stage{world.number},tablet:stage{world.number}")
    # axe-core asks frames of other origins, which have no axe-core; the browser notes it.
    world.expected.append("postMessage")
    page = world.window(app)
    page.wait("document.querySelectorAll('iframe').length === 2")
    world.take(page, "devices")
    page.click("button", "Log")
    page.wait(DIALOG)
    world.take(page, "log")


TOURS = [recipes, recipes_signed_out, fasting, last_person, stage]
