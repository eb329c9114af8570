using System.Text;

namespace Transfer.S3.Cli.Credentials;

/// <summary>Asks the user at the terminal, also if the standard streams are redirected.</summary>
internal static class TerminalPrompt
{
    private const string UnixTerminal = "/dev/tty";

    /// <summary>Gets a value that indicates whether there is a terminal to ask at.</summary>
    public static bool HasTerminal
    {
        get
        {
            if (OperatingSystem.IsWindows())
            {
                return !Console.IsInputRedirected && !Console.IsErrorRedirected;
            }

            try
            {
                using FileStream terminal = new(UnixTerminal, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
                return true;
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                return false;
            }
        }
    }

    /// <summary>Writes a question and reads a line.</summary>
    /// <returns>The answer; null if there is no terminal, or no answer.</returns>
    public static string? Ask(string question)
    {
        if (OperatingSystem.IsWindows())
        {
            if (Console.IsInputRedirected || Console.IsErrorRedirected)
            {
                return null;
            }

            Console.Error.Write(question);
            return Console.ReadLine();
        }

        try
        {
            using FileStream terminal = new(UnixTerminal, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
            terminal.Write(Encoding.UTF8.GetBytes(question));
            return ReadLine(terminal);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null; // a process without a terminal
        }
    }

    private static string? ReadLine(FileStream terminal)
    {
        List<byte> line = [];
        int next;
        while ((next = terminal.ReadByte()) is not (-1 or '\n'))
        {
            line.Add((byte)next);
        }

        return next < 0 && line.Count == 0 ? null : Encoding.UTF8.GetString([.. line]).TrimEnd('\r');
    }
}
