using System.Diagnostics;

namespace Transfer.Benchmarks.Compare;

/// <summary>This program once more, or another build of it.</summary>
internal static class ChildProcess
{
    /// <param name="arguments">Its arguments.</param>
    /// <param name="certificatePath">A file of certificates that it is to trust, beside no other.</param>
    /// <param name="build">The other build's assembly; null for this one.</param>
    public static Process Start(IEnumerable<string> arguments, string? certificatePath = null, string? build = null)
    {
        // The host may be `dotnet`, which then needs to be told which program it runs.
        string host = build is null ? Environment.ProcessPath! : "dotnet";
        bool isShared = Path.GetFileNameWithoutExtension(host) == "dotnet";
        ProcessStartInfo start = new(host, isShared ? [build ?? typeof(ChildProcess).Assembly.Location, .. arguments] : arguments)
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
