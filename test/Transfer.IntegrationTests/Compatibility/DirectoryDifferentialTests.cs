using Amazon.S3.Transfer;

namespace Transfer.IntegrationTests.Compatibility;

/// <summary>Whole directories: the same calls on the SDK's utility and on the adapter.</summary>
public sealed class DirectoryDifferentialTests : DifferentialTest
{
    private static readonly Dictionary<string, Func<Stage, Task>> Cases = new()
    {
        ["up"] = s => s.Utility.UploadDirectoryAsync(Tree(s), s.Bucket),
        ["up, all of it"] = s => s.Utility.UploadDirectoryAsync(Tree(s), s.Bucket, "*.txt", SearchOption.AllDirectories),
        ["up, synchronous"] = s => Run(() => s.Utility.UploadDirectory(Tree(s), s.Bucket)),
        ["up, all of it, synchronous"] = s => Run(() => s.Utility.UploadDirectory(Tree(s), s.Bucket, "*", SearchOption.AllDirectories)),
        ["up, request"] = s => s.Utility.UploadDirectoryAsync(Up(s)),
        ["up, request, synchronous"] = s => Run(() => s.Utility.UploadDirectory(Up(s))),
        ["up, response"] = async s => Note(s, await s.Utility.UploadDirectoryWithResponseAsync(Tree(s), s.Bucket)),
        ["up, response, all of it"] = async s => Note(s, await s.Utility.UploadDirectoryWithResponseAsync(Tree(s), s.Bucket, "*", SearchOption.AllDirectories)),
        ["up, response, request"] = async s => Note(s, await s.Utility.UploadDirectoryWithResponseAsync(Up(s))),
        ["up, response, synchronous"] = s => Run(() => Note(s, s.Utility.UploadDirectoryWithResponse(Tree(s), s.Bucket))),
        ["up, response, all of it, synchronous"] = s => Run(() => Note(s, s.Utility.UploadDirectoryWithResponse(Tree(s), s.Bucket, "*", SearchOption.AllDirectories))),
        ["up, response, request, synchronous"] = s => Run(() => Note(s, s.Utility.UploadDirectoryWithResponse(Up(s)))),
        ["up, no folder"] = s => s.Utility.UploadDirectoryAsync(s.File("missing"), s.Bucket),
        ["up, no bucket"] = s => s.Utility.UploadDirectoryAsync(Tree(s), "no-such-bucket"),
        ["down"] = s => s.Utility.DownloadDirectoryAsync(s.Bucket, "tree", s.File("down")),
        ["down, synchronous"] = s => Run(() => s.Utility.DownloadDirectory(s.Bucket, "tree", s.File("down"))),
        ["down, request"] = s => s.Utility.DownloadDirectoryAsync(Down(s)),
        ["down, request, synchronous"] = s => Run(() => s.Utility.DownloadDirectory(Down(s))),
        ["down, response"] = async s => s.Note($"{(await s.Utility.DownloadDirectoryWithResponseAsync(s.Bucket, "tree", s.File("down"))).ObjectsDownloaded}"),
        ["down, response, request"] = async s => s.Note($"{(await s.Utility.DownloadDirectoryWithResponseAsync(Down(s))).ObjectsDownloaded}"),
        ["down, response, synchronous"] = s => Run(() => s.Note($"{s.Utility.DownloadDirectoryWithResponse(s.Bucket, "tree", s.File("down")).ObjectsDownloaded}")),
        ["down, response, request, synchronous"] = s => Run(() => s.Note($"{s.Utility.DownloadDirectoryWithResponse(Down(s)).ObjectsDownloaded}")),
        ["down, no bucket"] = s => s.Utility.DownloadDirectoryAsync("no-such-bucket", "tree", s.File("down")),
    };

    public static TheoryData<string> CaseNames => [.. Cases.Keys];

    [Theory]
    [MemberData(nameof(CaseNames))]
    public Task Directories_EndAlike(string name) => AssertSameAsync(
        Cases[name],
        async s =>
        {
            await s.NewObjectAsync("tree/a.txt", 10);
            await s.NewObjectAsync("tree/below/b.txt", 20);
            await s.NewObjectAsync("other/c.txt", 30);
        });

    private static string Tree(Stage s)
    {
        Directory.CreateDirectory(s.File("up/below"));
        s.NewFile("up/a.txt", 10);
        s.NewFile("up/b.bin", 20);
        s.NewFile("up/below/c.txt", 30);
        return s.File("up");
    }

    private static TransferUtilityUploadDirectoryRequest Up(Stage s)
        => new() { BucketName = s.Bucket, Directory = Tree(s), KeyPrefix = "prefix", SearchOption = SearchOption.AllDirectories };

    private static TransferUtilityDownloadDirectoryRequest Down(Stage s) => new() { BucketName = s.Bucket, S3Directory = "tree/below", LocalDirectory = s.File("down") };

    private static void Note(Stage s, TransferUtilityUploadDirectoryResponse response)
        => s.Note($"{response.ObjectsUploaded} {response.ObjectsFailed} {response.Result} {response.Errors?.Count}");

    private static Task Run(Action call)
    {
        call();
        return Task.CompletedTask;
    }
}
