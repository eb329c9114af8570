using System.Diagnostics;
using System.Globalization;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// Programs that aren't ours: a cheap server, and the transfer managers of AWS for Rust and in C. A program <c>peer</c> in a folder starts them by
/// name. Child processes find the folders through environment variables.
/// </summary>
internal static class Peers
{
    /// <summary>The environment variable with the folder of <c>peer</c>.</summary>
    public const string Variable = "TRANSFER_PEERS";

    /// <summary>The environment variable with the folder of <c>wan-up</c>, which emulates a wide area link.</summary>
    public const string WanVariable = "TRANSFER_WAN";

    public const string RustManager = "tmrs";
    public const string Crt = "crt";
    private const string CertificateVariable = "SSL_CERT_FILE";

    /// <summary>The runs of a program that is warmed up, of which the last one counts.</summary>
    private const int WarmRuns = 3;

    /// <summary>Gets the program that starts the others; null if there is none.</summary>
    public static string? Program => Find(Variable, "peer");

    /// <summary>Gets the program that emulates a link; null if there is none.</summary>
    public static string? WanProgram => Find(WanVariable, "wan-up");

    /// <summary>Creates a contender that warms up in its own process.</summary>
    public static Contender Warm(string name, string mode, Func<Workbench, string> path, Action<Workbench>? prepare = null)
        => Contend(name, mode, path, prepare, WarmRuns);

    /// <summary>Creates a contender whose whole process is measured.</summary>
    public static Contender Cold(string name, string mode, Func<Workbench, string> path, Action<Workbench>? prepare = null)
        => Contend(name, mode, path, prepare, null);

    private static Contender Contend(string name, string mode, Func<Workbench, string> path, Action<Workbench>? prepare, int? runs)
        => new(name == RustManager ? "Rust transfer manager" : "AWS CRT", bench => RunAsync(bench, name, mode, path(bench), runs)) { Prepare = prepare, WarmsUpItself = true };

    private static Task RunAsync(Workbench bench, string name, string mode, string path, int? runs)
    {
        string[] arguments = [name, bench.Endpoint.ToString().TrimEnd('/'), mode, BenchmarkStore.Bucket, mode == "put" ? "upload" : bench.Key, path];
        ProcessStartInfo start = ContenderProgram.Create(Program!, [.. arguments, (runs ?? 1).ToString(CultureInfo.InvariantCulture)]);
        start.Environment["AWS_ACCESS_KEY_ID"] = Workbench.AccessKey;
        start.Environment["AWS_SECRET_ACCESS_KEY"] = Workbench.SecretKey;
        start.Environment["AWS_REGION"] = "us-east-1";
        start.Environment["AWS_EC2_METADATA_DISABLED"] = "true";
        start.Environment["CRT_CA"] = Environment.GetEnvironmentVariable(CertificateVariable);
        return ContenderProgram.RunAsync(bench, start, runs);
    }

    private static string? Find(string variable, string program)
        => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } folder && Path.Combine(Path.GetFullPath(folder), program) is var path && File.Exists(path) ? path : null;
}
