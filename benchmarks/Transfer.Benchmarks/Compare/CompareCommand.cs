using System.CommandLine;
using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// Compares several ways of performing the same operation. Each measurement runs in a separate process, and the contenders take turns in every
/// round, so that other load on the machine affects all of them equally.
/// </summary>
internal static class CompareCommand
{
    public const string Verb = "compare";
    private const long MiB = 1024 * 1024;

    public static async Task<int> RunAsync(ReadOnlyMemory<string> arguments)
    {
        Argument<string[]> names = new("contests")
        {
            HelpName = "contest",
            Description = "The contests to run. The default is all." + string.Concat(Contests.All.Select(static one => $"\n{one.Name}: {one.Description}")),
            Arity = ArgumentArity.ZeroOrMore,
        };
        names.AcceptOnlyFromAmong([.. Contests.All.Select(one => one.Name)]);
        Option<int> rounds = new("--rounds") { Description = "The number of measurements of each contender. The tables show medians.", DefaultValueFactory = _ => 5 };
        rounds.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int>() < 1)
            {
                result.AddError("--rounds must be 1 or more.");
            }
        });
        Option<ServerKind[]> servers = new("--server") { Description = "The servers to use. The default depends on the contest.", AllowMultipleArgumentsPerToken = true };
        Option<long[]> sizes = new("--mib") { Description = "The sizes of objects in MiB. The default depends on the contest.", AllowMultipleArgumentsPerToken = true };
        string[] sizable = [.. Contests.All.Where(static one => one.OfObjects is not null).Select(static one => one.Name)];
        Option<int?> objects = new("--objects") { Description = $"The number of objects, for {string.Join(", ", sizable)}. The default depends on the contest." };
        Option<string?> contenders = new("--contenders") { HelpName = "text", Description = "Measure only the first contender and those whose names contain this text." };
        Option<FileInfo> build = new("--build")
        {
            Description = "The Transfer.Benchmarks.dll of another commit. Each contender except the first is compared with itself in that build.",
        };
        build.AcceptExistingOnly();
        Option<DirectoryInfo> peers = new("--peers") { Description = $"The folder of the program \"peer\", which starts other transfer managers. The default is {Peers.Variable}." };
        Option<DirectoryInfo> wan = new("--wan") { Description = $"The folder of the program \"wan-up\", which emulates a wide area link. The default is {Peers.WanVariable}." };
        peers.AcceptExistingOnly();
        wan.AcceptExistingOnly();
        RootCommand command = new("Compares ways of transferring objects: their rates, and their cost for the client.")
        {
            names, rounds, servers, sizes, objects, contenders, build, peers, wan,
        };
        command.Validators.Add(result =>
        {
            if (result.GetValue(objects) is { } number && (number < 1 || result.GetValue(names) is not { Length: > 0 } named || named.Except(sizable).Any()))
            {
                result.AddError($"--objects must be 1 or more, and needs the names of contests among {string.Join(", ", sizable)}.");
            }
        });
        command.SetAction(result =>
        {
            UseFolder(Peers.Variable, result.GetValue(peers));
            UseFolder(Peers.WanVariable, result.GetValue(wan));
            return CompareAsync(
                result.GetValue(names) is { Length: > 0 } named ? named : [.. Contests.All.Select(one => one.Name)],
                result.GetValue(servers) ?? [],
                [.. (result.GetValue(sizes) ?? []).Select(one => one * MiB)],
                result.GetValue(rounds),
                result.GetValue(objects),
                result.GetValue(contenders) ?? string.Empty,
                result.GetValue(build)?.FullName);
        });
        return await command.Parse(arguments.ToArray()).InvokeAsync();
    }

    // Child processes, also those of another build, inherit it.
    private static void UseFolder(string variable, DirectoryInfo? folder)
    {
        if (folder is not null)
        {
            Environment.SetEnvironmentVariable(variable, folder.FullName);
        }
    }

    private static async Task CompareAsync(string[] names, ServerKind[] servers, long[] sizes, int rounds, int? objects, string contenders, string? build)
    {
        foreach (Contest contest in names.Select(name => Contests.Find(name, objects)))
        {
            foreach (ServerKind kind in servers.Length > 0 ? servers : contest.Servers)
            {
                if (BenchmarkServer.FindMissing(kind) is { } missing)
                {
                    Console.WriteLine($"### {contest.Name}, {kind}: not measured, {missing}\n");
                    continue;
                }

                await CompareAsync(contest, kind, sizes.Length > 0 ? sizes : contest.Sizes, rounds, contenders, build);
            }
        }
    }

    private static async Task CompareAsync(Contest contest, ServerKind kind, IReadOnlyList<long> sizes, int rounds, string contenders, string? build)
    {
        await using BenchmarkServer server = await BenchmarkServer.StartAsync(kind, contest, sizes);
        foreach (long size in sizes)
        {
            IReadOnlyList<ComparisonRow> rows = ComparisonRow.Create(contest, contenders, build, hasTls: kind is ServerKind.Tls or ServerKind.NginxTls or ServerKind.DiscardingTls or ServerKind.PeerTls);
            for (int round = 0; round < rounds; round++)
            {
                foreach (ComparisonRow row in rows)
                {
                    row.Measurements.Add(await ContenderProcess.MeasureAsync(contest, row.Contender, server, size, row.Build));
                }
            }

            string objects = size < MiB ? $"{size / 1024} KiB" : $"{size / MiB} MiB";
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"### {contest.Name}, {objects}, {kind}, {rounds} rounds\n"));
            Console.WriteLine(ComparisonTable.Format(contest, rows));
        }
    }
}
