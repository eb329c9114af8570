using System.Text;
using System.Text.RegularExpressions;
using Amazon.S3.Model;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>
/// Runs the command lines of <c>command-lines.txt</c>: what people type who know other tools, with the exit code and the first line of what they see. A section begins
/// with the same objects and files. Set <c>TRANSFER_WRITE_COMMAND_LINES=1</c> to write what the tool says into the file, and read the difference.
/// </summary>
public sealed class CommandLineTests
{
    private const string FileName = "test/Transfer.IntegrationTests/Cli/command-lines.txt";
    private static readonly TimeSpan MatchTimeout = TimeSpan.FromSeconds(1);
    private static readonly string[] Keys = ["photos/1.jpg", "photos/2.jpg", "photos/2025/3.jpg", "photos3/x.jpg", "movie.mkv", "logs/2025/a.log", "logs/b.log"];

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task EachLine_EndsAsTheFileSays(string name)
    {
        string path = Path.Combine(MarkdownPages.Root, FileName);
        string[] lines = await File.ReadAllLinesAsync(path);
        List<string> actual = [];
        await using Store store = await Store.StartAsync(name);
        using TemporaryFolder folder = new();
        for (int i = 0; i < lines.Length; i++)
        {
            actual.Add(lines[i]);
            if (lines[i].StartsWith('['))
            {
                await ResetAsync(store, folder);
            }
            else if (lines[i].StartsWith("> ", StringComparison.Ordinal))
            {
                string line = lines[i][2..];
                string expected = i + 1 < lines.Length && lines[i + 1].StartsWith("  ", StringComparison.Ordinal) ? lines[++i] : string.Empty;
                string seen = await RunAsync(line, store, folder);
                actual.Add(IsMatch(expected, seen) ? expected : seen);
            }
        }

        if (Environment.GetEnvironmentVariable("TRANSFER_WRITE_COMMAND_LINES") == "1")
        {
            await File.WriteAllLinesAsync(path, actual);
        }

        Assert.Equal(string.Join('\n', lines), string.Join('\n', actual));
    }

    /// <summary>Compares what is expected, in which … stands for any text.</summary>
    private static bool IsMatch(string expected, string seen) => Regex.IsMatch(seen, $"^{Regex.Escape(expected).Replace("…", ".*", StringComparison.Ordinal)}$", RegexOptions.CultureInvariant, MatchTimeout);

    private static async Task<string> RunAsync(string line, Store store, TemporaryFolder folder)
    {
        string[] arguments = [.. Regex.Matches(line, @"'([^']*)'|\S+", RegexOptions.ExplicitCapture, MatchTimeout).Select(match => match.Value.Trim('\'').Replace("BUCKET", store.Bucket, StringComparison.Ordinal).Replace("DIR", folder.Path, StringComparison.Ordinal))];
        Dictionary<string, string> variables = ToolStore.EnvironmentOf(store, folder.File("state"));
        variables["TRANSFER_RETRY_FOR"] = "0";
        using StringWriter output = new() { NewLine = "\n" };
        using StringWriter error = new() { NewLine = "\n" };
        using ToolConsole console = new(output, error);
        int code = await new Tool(console, new ToolEnvironment(name => variables.GetValueOrDefault(name)), TimeProvider.System).RunAsync(arguments, CancellationToken.None).Within();
        string first = (output.ToString() + error).Split('\n')[0]
            .Replace(variables["AWS_ENDPOINT_URL_S3"].TrimEnd('/'), "ENDPOINT", StringComparison.Ordinal)
            .Replace(folder.Path, "DIR", StringComparison.Ordinal)
            .Replace(store.Bucket, "BUCKET", StringComparison.Ordinal);
        return $"  {code} {WithoutValues(first)}".TrimEnd();
    }

    /// <summary>Replaces what differs from run to run, and from store to store.</summary>
    private static string WithoutValues(string line)
    {
        line = Regex.Replace(line, @"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d( ?(Z|[+-]\d\d:\d\d))?", "TIME", RegexOptions.ExplicitCapture, MatchTimeout);
        line = Regex.Replace(line, "^ +PRE", "PRE", RegexOptions.ExplicitCapture, MatchTimeout); // the zone of the times decides how wide they are
        line = Regex.Replace(line, "request id [^)]+", "request id ID", RegexOptions.ExplicitCapture, MatchTimeout);
        line = Regex.Replace(line, @"\bin [\d.]+ (ms|s)\b( \([^)]*/s\))?", "in TIME", RegexOptions.ExplicitCapture, MatchTimeout);
        return Regex.Replace(line, @"\b(md5|crc64nvme|crc32|sha256) [^)]+\)", "CHECKSUM)", RegexOptions.ExplicitCapture, MatchTimeout);
    }

    private static async Task ResetAsync(Store store, TemporaryFolder folder)
    {
        ListObjectsV2Response listed = await store.S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = store.Bucket });
        foreach (S3Object old in listed.S3Objects ?? [])
        {
            await store.S3.DeleteObjectAsync(store.Bucket, old.Key);
        }

        foreach (string key in Keys)
        {
            await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = key, ContentBody = key });
        }

        foreach (string entry in Directory.GetFileSystemEntries(folder.Path))
        {
            if (Directory.Exists(entry))
            {
                Directory.Delete(entry, recursive: true);
            }
            else
            {
                File.Delete(entry);
            }
        }

        foreach (string file in (string[])["photos/1.jpg", "photos/2025/3.jpg", "photos/new.txt", "film.mkv"])
        {
            Directory.CreateDirectory(Path.GetDirectoryName(folder.File(file))!);
            await File.WriteAllTextAsync(folder.File(file), file, Encoding.UTF8);
        }

        Directory.CreateDirectory(folder.File("empty"));
    }
}
