"""Journeys through the recipe app, on devices of Alice's and Bob's."""
from cloud import Cloud
from world import DIALOG, NOTICE, picture

PICTURE = picture()


def save(shown):
    shown.click("button", "Save")
    shown.wait(f"!{DIALOG}", what="the editor is closed")


def write(phone, title, pause=0.0):
    phone.click("button", "New")
    phone.click("textbox", "Title")
    phone.type(title, pause)
    phone.wait("![...document.querySelectorAll('dialog button')].at(-1).disabled && !document.querySelector('dialog [disabled]')",
               what="Save is enabled")
    save(phone)
    phone.reach("link", title)


def replace(phone, field, text):
    phone.click("textbox", field)
    phone.script("document.activeElement.select()")
    phone.type(text)


def what_is_done_on_one_device_is_seen_on_the_other(world):
    phone, tablet = world.open("phone"), world.open("tablet", width=834, height=1112)
    other = world.open("other", "bob")
    for one in (phone, tablet, other):
        one.sees("No recipes yet")
    took = []
    for title in ("Lentil soup", "Onion tart", "Flat bread"):
        tablet.time_of(title)
        phone.time_of_click()
        write(phone, title)
        tablet.sees(title)
        took.append(tablet.evaluate("window.came") - phone.evaluate("window.clicked"))
    print(f"     a save came to the other device in {sorted(took)[1]:.0f} ms (median of {len(took)})")
    assert sorted(took)[1] < 1000, took
    tablet.click("link", "Onion tart")
    tablet.click("button", "Edit")
    replace(tablet, "Title", "Leek tart")
    save(tablet)
    phone.sees("Leek tart")
    phone.misses("Onion tart")
    phone.click("link", "Leek tart")
    phone.reach("button", "Edit")
    tablet.click("button", "Back to My Recipes")
    tablet.swipe("Leek tart")
    tablet.click("button", "Delete, Leek tart")
    phone.sees("This recipe is gone")
    phone.click("button", "Back to My Recipes")
    phone.sees("Lentil soup")
    phone.misses("Leek tart")
    assert "Lentil soup" not in other.evaluate("document.body.textContent")


def what_the_community_has_everybody_sees(world):
    alice, bob = world.open("phone"), world.open("other", "bob")
    for one in (alice, bob):
        one.click("tab", "Community")
        one.sees("Community")
    title = f"Stew of {world.number}"
    write(alice, title)
    bob.sees(title)


def two_windows_of_a_device_have_pages_of_their_own(world):
    first = world.open("phone")
    first.sees("No recipes yet")
    second = world.window(first.app, 1100, 800, touch=False)
    second.sees("No recipes yet")
    write(first, "Soup")
    second.click("link", "Soup")
    second.click("button", "Edit")
    second.reach("textbox", "Title")
    assert first.evaluate("document.title") == "My Recipes"
    assert not first.evaluate(DIALOG)
    replace(second, "Title", "Better soup")
    second.click("button", "Save")
    first.sees("Better soup")


def an_app_that_was_killed_comes_back_under_the_open_page(world):
    world.expected += ["ERR_CONNECTION", "ERR_INCOMPLETE_CHUNKED_ENCODING"]
    phone = world.open("phone")
    phone.sees("No recipes yet")
    write(phone, "Soup")
    phone.app.kill()
    phone.wait(NOTICE)
    assert "not running" in phone.evaluate("document.getElementById('notice').textContent")
    phone.app.start()
    phone.wait(f"!{NOTICE}", 15)
    phone.sees("Soup")
    write(phone, "Bread")


def typing_far_away_loses_nothing(world):
    phone = world.open("phone")
    phone.sees("No recipes yet")
    phone.network(latency=150)
    write(phone, "The quick brown fox jumps over the lazy dog", pause=0.015)
    phone.network()


def a_swipe_deletes_a_row(world):
    phone = world.open("phone")
    phone.sees("No recipes yet")
    write(phone, "Soup")
    phone.swipe("Soup")
    phone.click("button", "Delete, Soup")
    phone.sees("No recipes yet")


def pulling_reads_the_recipes_anew(world):
    phone = world.open("phone")
    phone.sees("No recipes yet")
    phone.drag((200, 300), (205, 480))
    phone.wait("document.querySelector('.refresh[aria-busy=true]') || document.body.textContent.includes('Refreshed')")
    phone.wait("document.querySelector('.refresh[aria-busy=false]')")


def everything_goes_by_keys_alone(world):
    desk = world.open("desk", width=1100, height=800, touch=False)
    desk.sees("No recipes yet")
    desk.tab_to("New")
    desk.key("Enter")
    desk.wait(DIALOG)
    desk.tab_to("Title")
    desk.type("Soup")
    desk.tab_to("Save")
    desk.key("Enter")
    desk.wait(f"!{DIALOG}")
    desk.sees("Soup")
    desk.tab_to("Soup")
    desk.key("Enter")
    desk.sees("Instructions")
    desk.tab_to("Edit")
    desk.key(" ")
    desk.wait(DIALOG)
    desk.tab_to("Title")
    desk.type("Better ")
    desk.tab_to("Save")
    desk.key("Enter")
    desk.wait(f"!{DIALOG}")
    desk.wait("document.title.includes('Better')")
    desk.tab_to("Back to My Recipes")
    desk.key("Enter")
    desk.wait("document.querySelector('main').dataset.depth === '0'")
    desk.tab_to("Better")
    desk.key("Delete")
    desk.sees("No recipes yet")


def whatever_is_written_is_shown_as_text(world):
    phone, tablet = world.open("phone"), world.open("tablet", width=834, height=1112)
    titles = [
        "<script>alert(1)</script><img src=x onerror=alert(2)>", "Suppe 🍲👩‍👩‍👧‍👦 ́e", "حساء العدس ‏(مرحبا) 123",
        "‮reversed", "\"quotes\" & &amp; 'more' \\u0000 {{x}}",
    ]
    for one in (phone, tablet):
        one.sees("No recipes yet")
    for title in titles:
        phone.click("button", "New")
        phone.click("textbox", "Title")
        phone.devtools("Input.insertText", text=title)
        phone.wait("!document.querySelector('dialog [disabled]')")
        save(phone)
    for one in (phone, tablet):
        for title in titles:
            one.wait(f"[...document.querySelectorAll('.row .link')].some(row => row.textContent.includes({title!r}))", what=title)
        assert not one.evaluate("document.querySelector('main script, main img')")
    phone.click("link", titles[0])
    phone.reach("button", "Edit")
    assert phone.evaluate("document.title") == titles[0]


def a_title_of_ten_thousand_characters_leaves_the_page_usable(world):
    phone = world.open("phone")
    phone.sees("No recipes yet")
    title = "long " * 1000 + "x" * 5000
    phone.click("button", "New")
    phone.click("textbox", "Title")
    phone.devtools("Input.insertText", text=title)
    phone.wait("!document.querySelector('dialog [disabled]')")
    save(phone)
    phone.wait("document.querySelector('.row .link')")
    x, y, width, height = phone.box("link", title)
    assert width <= 420 and height < 120, (width, height)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 420
    phone.press(x + 100, y + height / 2)
    phone.reach("button", "Edit")
    assert phone.evaluate("document.querySelector('.page:not([inert])').scrollWidth") <= 420
    phone.click("button", "Edit")
    phone.reach("textbox", "Title")
    assert phone.evaluate("document.querySelector('dialog input').value.length") == len(title)
    phone.click("button", "Cancel")
    phone.wait(f"!{DIALOG}")
    phone.click("button", "Back to My Recipes")
    phone.wait("document.title === 'My Recipes'")


def a_device_without_a_network_says_so_and_keeps_what_is_written(world):
    phone = world.open("phone")
    phone.sees("No recipes yet")
    phone.app.say("offline")
    phone.click("button", "New")
    phone.click("textbox", "Title")
    phone.type("Pie")
    phone.click("button", "Save")
    phone.sees("cannot be reached")
    phone.click("button", "OK")
    phone.wait("document.querySelectorAll('dialog[open]').length === 1")
    assert phone.evaluate("document.querySelector('dialog input').value") == "Pie"
    phone.app.say("online")
    save(phone)
    phone.sees("Pie")


def a_service_that_stops_is_told_and_found_again(world):
    with Cloud(world.cloud.build, is_kept=True) as own:
        phone = world.open("phone", cloud=own)
        phone.sees("No recipes yet")
        write(phone, "Soup")
        own.stop()
        phone.click("button", "Refresh")
        phone.sees("cannot be reached", 20)
        phone.sees("Soup")
        own.start()
        # It tries again by itself.
        phone.misses("cannot be reached", 20)
        write(phone, "Bread")
        phone.click("button", "Refresh")
        phone.misses("cannot be reached")


def a_photo_is_chosen_sent_and_shown_elsewhere(world):
    phone, tablet = world.open("phone"), world.open("tablet", width=834, height=1112)
    for one in (phone, tablet):
        one.sees("No recipes yet")
    phone.click("button", "New")
    phone.click("textbox", "Title")
    phone.type("Tart")
    phone.choose_files("Choose a photo", [PICTURE])
    phone.reach("image", "Photo of Tart")
    save(phone)
    tablet.click("link", "Tart")
    tablet.reach("image", "Photo of Tart")
    tablet.wait("document.querySelector('img[alt=\"Photo of Tart\"]').naturalWidth === 2", what="the photo is shown")


def a_photo_is_dropped_and_removed(world):
    phone = world.open("phone", touch=False)
    write(phone, "Tart")
    phone.click("link", "Tart")
    phone.click("button", "Edit")
    x, y, width, height = phone.reach("button", "Choose a photo")
    phone.hold_files([PICTURE], x + 5, y + height / 2)
    phone.sees("Let go to use this photo")
    phone.drop_files([PICTURE], x + 5, y + height / 2)
    phone.reach("image", "Photo of Tart")
    save(phone)
    phone.reach("image", "Photo of Tart")
    phone.click("button", "Edit")
    phone.click("button", "Remove photo")
    phone.reach("button", "Choose a photo")
    save(phone)
    phone.wait("!document.querySelector('.panel:not([inert]) .page:not([inert]) img')", what="no photo is shown")


def nobody_is_signed_in(world):
    phone = world.open("phone", None)
    phone.sees("Nobody is signed in")
