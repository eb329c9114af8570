using System.Diagnostics;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The command-line tool of this build as a contender in a process of its own, without the settings and the state of the user.</summary>
internal static class TransferTool
{
    private static readonly string[] Homes = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];

    /// <summary>Copies once.</summary>
    /// <param name="bench">The objects of the contender.</param>
    /// <param name="arguments">The arguments of <c>cp</c>, without those of the store.</param>
    public static Task RunAsync(Workbench bench, IEnumerable<string> arguments)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "transfer.dll");
        ProcessStartInfo start = ContenderProgram.Create(
            "dotnet", [program, "cp", .. arguments, "--quiet", "--endpoint-url", bench.Endpoint.ToString(), "--path-style", "--region", "us-east-1"]);
        start.Environment["AWS_ACCESS_KEY_ID"] = Workbench.AccessKey;
        start.Environment["AWS_SECRET_ACCESS_KEY"] = Workbench.SecretKey;
        start.Environment["AWS_EC2_METADATA_DISABLED"] = "true";
        string home = bench.NewFolder();
        foreach (string variable in Homes)
        {
            start.Environment[variable] = home;
        }

        return ContenderProgram.RunAsync(bench, start);
    }
}
