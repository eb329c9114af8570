using System.Diagnostics;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Starts this program again, or another build of it.</summary>
internal static class ChildProcess
{
    /// <param name="arguments">The arguments of the program.</param>
    /// <param name="certificatePath">A file with the only certificates that the program trusts.</param>
    /// <param name="build">The assembly of the other build; null for this one.</param>
    /// <param name="prefix">The beginning of the command line, with a program that runs the rest; null for none.</param>
    public static Process Start(IEnumerable<string> arguments, string? certificatePath = null, string? build = null, IReadOnlyList<string>? prefix = null)
    {
        // The host may be `dotnet`, which then needs the path of the program to run.
        string host = build is null ? Environment.ProcessPath! : "dotnet";
        bool isShared = Path.GetFileNameWithoutExtension(host) == "dotnet";
        string[] command = [.. prefix ?? [], host, .. isShared ? [build ?? typeof(ChildProcess).Assembly.Location, .. arguments] : arguments];
        ProcessStartInfo start = new(command[0], command.Skip(1))
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        if (certificatePath is not null)
        {
            start.Environment["SSL_CERT_FILE"] = certificatePath;
        }

        return Process.Start(start)!;
    }
}
