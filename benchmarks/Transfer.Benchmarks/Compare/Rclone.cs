using System.Diagnostics;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>rclone as a contender, if it is installed. The process of the contender only starts it, so its own CPU time and memory are measured.</summary>
internal static class Rclone
{
    private static readonly string[] Places = ["/usr/bin/rclone", "/usr/local/bin/rclone"];

    public static string? Executable { get; } = Places.FirstOrDefault(File.Exists);

    /// <summary>Returns the address of a prefix on its command line.</summary>
    public static string Address(string prefix) => $"store:{BenchmarkStore.Bucket}/{prefix}";

    /// <summary>Creates the contender.</summary>
    /// <param name="name">The name in the table.</param>
    /// <param name="arguments">Returns the command line.</param>
    /// <param name="prepare">Prepares the data; null if there is nothing to prepare.</param>
    /// <returns>No contender if rclone isn't installed.</returns>
    public static IEnumerable<Contender> Contenders(string name, Func<Workbench, IReadOnlyList<string>> arguments, Action<Workbench>? prepare = null)
    {
        if (Executable is not null)
        {
            yield return new Contender(name, bench => RunAsync(bench, arguments(bench))) { Prepare = prepare };
        }
    }

    private static Task RunAsync(Workbench bench, IReadOnlyList<string> arguments)
    {
        // rclone rejects some of the AWS settings that this removes.
        ProcessStartInfo start = ContenderProgram.Create(Executable!, ["--config", "", "--quiet", .. arguments]);
        start.Environment["RCLONE_CONFIG_STORE_TYPE"] = "s3";
        start.Environment["RCLONE_CONFIG_STORE_PROVIDER"] = "Other";
        start.Environment["RCLONE_CONFIG_STORE_ENDPOINT"] = bench.Endpoint.ToString();
        start.Environment["RCLONE_CONFIG_STORE_ACCESS_KEY_ID"] = Workbench.AccessKey;
        start.Environment["RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY"] = Workbench.SecretKey;
        start.Environment["RCLONE_S3_NO_CHECK_BUCKET"] = "true";
        return ContenderProgram.RunAsync(bench, start);
    }
}
