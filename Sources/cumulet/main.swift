import CloudCommands
import Glibc

exit(await CumuletTool.run(Array(CommandLine.arguments.dropFirst())))
