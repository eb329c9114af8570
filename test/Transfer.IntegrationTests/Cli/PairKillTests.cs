using Transfer.S3.IntegrationTests.Faults;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>
/// Kills two commands that run at the same time with SIGKILL at a request, lets somebody write, and runs both again. Only a synchronization replaces or deletes what is
/// at its target.
/// </summary>
[LongRunning]
public sealed class PairKillTests : ToolTest
{
    private static readonly string[] Names = ["a", "b", "d/c", "d/e"];

    [Fact]
    public async Task TwoKilledAtAnyRequest_RunAgain_LoseNothing()
    {
        int kills = 0;
        int seeds = LongTests.Choose(full: 40, quick: 6);
        for (int seed = 0; seed < seeds; seed++)
        {
            kills += await CheckAsync(seed);
        }

        Assert.True(kills > seeds / 10, $"only {kills} processes were killed"); // a command can end before its last request
    }

    private async Task<int> CheckAsync(int seed)
    {
        Random random = new(seed);
        CopyPlace[] places =
        [
            new("folder", GetPath($"folder{seed}/here"), null, null, string.Empty),
            new("A", null, Server, S3, $"{seed}/A/"),
            new("B", null, Server, S3, $"{seed}/B/"),
        ];
        Directory.CreateDirectory(places[0].Path!);
        Dictionary<string, CopyPlace> written = [];
        HashSet<string> replaced = [];
        foreach (CopyPlace place in places)
        {
            foreach (string name in Names.Where(_ => random.Next(2) == 0))
            {
                Write(place, name);
            }
        }

        (bool IsSync, CopyPlace Source, CopyPlace Target, string[] Arguments)[] commands = [.. Enumerable.Range(0, 2).Select(_ => NewCommand())];
        int kills = commands.Length - (await KillAtAsync(random.Next(1, 12), [.. commands.Select(command => command.Arguments)])).Length;
        Write(places[random.Next(places.Length)], Names[random.Next(Names.Length)]);

        await Task.WhenAll(commands.Select(command => RunAsync(command.Arguments))).Within();

        HashSet<string> there = [];
        foreach (CopyPlace place in places)
        {
            there.UnionWith((await place.ReadAsync()).Values);
        }

        string[] lost = [.. written.Keys.Where(content => !there.Contains(content) && !replaced.Contains(content) && !commands.Any(command => MayLose(command.IsSync, command.Target, content)))];
        Assert.True(lost.Length == 0, $"seed {seed}: {string.Join(", ", lost)} of {string.Join(", ", lost.Select(content => written[content].Name))} lost by {string.Join(" and ", commands.Select(command => string.Join(' ', command.Arguments)))}");
        return kills;

        // What was at the target, or what the other command has brought there, was listed by the second run.
        bool MayLose(bool isSync, CopyPlace target, string content) => isSync && (written[content] == target || commands.Any(command => command.Target == target && !command.IsSync));

        void Write(CopyPlace place, string name)
        {
            string content = $"{written.Count:00000000}";
            written.Add(content, place);
            if (place.Write(name, content) is { } before)
            {
                replaced.Add(before);
            }
        }

        (bool IsSync, CopyPlace Source, CopyPlace Target, string[] Arguments) NewCommand()
        {
            CopyPlace source = places[random.Next(places.Length)];
            CopyPlace target = places.Where(place => place != source).ElementAt(random.Next(places.Length - 1));
            int kind = random.Next(4);
            string[] head = kind switch
            {
                0 => ["sync"],
                1 => ["sync", "--delete", "--max-delete", "100%", "--allow-empty-source"],
                2 => ["mv", "-r", "--no-clobber"],
                _ => ["cp", "-r", "--no-clobber"],
            };
            return (kind < 2, source, target, [.. head, "--quiet", "--concurrency", "2", Show(source), Show(target)]);
        }

        static string Show(CopyPlace place) => place.Path ?? place.Uri.ToString();
    }
}
