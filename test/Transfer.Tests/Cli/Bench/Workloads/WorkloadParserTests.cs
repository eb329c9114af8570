using Transfer.S3.Bench.Workloads;
using Transfer.S3.Cli.Bench.Workloads;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli.Bench.Workloads;

public sealed class WorkloadParserTests
{
    private const string Valid = """
        {
            "version": 2, "comment": "many images", "filesOnDisk": true, "checksum": null, "maxRepeatCount": 10, "maxRepeatSecs": 600,
            "tasks": [{"action": "download", "key": "download/a", "size": 262144}, {"action": "upload", "key": "upload/b", "size": 0}]
        }
        """;

    [Fact]
    public void Parse_Valid_HasAllFields()
    {
        WorkloadFile file = Parse(Valid);

        Assert.EachEqual(("download-2x", "many images", true, null, 10, 600.0), (file.Name, file.Comment, file.FilesOnDisk, file.Checksum, file.MaxRepeatCount, file.MaxRepeatSeconds));
        Assert.Equal([new WorkloadTask(WorkloadAction.Download, "download/a", 262144), new WorkloadTask(WorkloadAction.Upload, "upload/b", 0)], file.Tasks);
        Assert.Equal(262144, file.BytesPerRun);
    }

    [Theory]
    [InlineData("null", null)]
    [InlineData("\"CRC32\"", ChecksumAlgorithm.Crc32)]
    [InlineData("\"CRC32C\"", ChecksumAlgorithm.Crc32C)]
    [InlineData("\"SHA1\"", ChecksumAlgorithm.Sha1)]
    [InlineData("\"SHA256\"", ChecksumAlgorithm.Sha256)]
    [InlineData("\"CRC64NVME\"", ChecksumAlgorithm.Crc64Nvme)]
    [InlineData("\"XXHASH128\"", ChecksumAlgorithm.XxHash128)]
    [InlineData("\"MD5\"", ChecksumAlgorithm.Md5)]
    public void Parse_Checksum_IsThatOfTheSpecification(string json, ChecksumAlgorithm? expected)
        => Assert.Equal(expected, Parse(Valid.Replace("null", json, StringComparison.Ordinal)).Checksum);

    [Theory]
    [InlineData("download/a", "upload/../x")]
    [InlineData("upload/b", "/x")]
    [InlineData("upload/b", "upload//b")]
    [InlineData("upload/b", "./b")]
    [InlineData("upload/b", "upload/")]
    [InlineData("upload/b", "..")]
    public void Parse_KeyThatIsNotAPathInTheDirectory_IsRefusedOnlyWithFilesOnDisk(string key, string other)
    {
        string text = Valid.Replace(key, other, StringComparison.Ordinal);
        Assert.Contains("it accepts keys that are paths in the current directory", Error(text), StringComparison.Ordinal);
        Assert.Contains(Parse(text.Replace("true", "false", StringComparison.Ordinal)).Tasks, task => task.Key == other);
    }

    [Fact]
    public void Parse_SameTaskTwice_IsAccepted()
        => Assert.Equal(["download/a", "download/a"], Parse(Valid.Replace("\"upload\", \"key\": \"upload/b\", \"size\": 0", "\"download\", \"key\": \"download/a\", \"size\": 262144", StringComparison.Ordinal)).Tasks.Select(task => task.Key));

    [Theory]
    [InlineData("\"version\": 2", "\"version\": 3", "has version 3; it accepts version 2")]
    [InlineData("\"version\": 2", "\"version\": \"2\"", "has version \"2\"; it accepts version 2")]
    [InlineData("\"version\": 2,", "", "has no 'version'; it needs version, comment, filesOnDisk, checksum, maxRepeatCount, maxRepeatSecs, and tasks")]
    [InlineData("\"comment\": \"many images\",", "", "has no 'comment'")]
    [InlineData("\"comment\": \"many images\"", "\"comment\": 1", "has 'comment' 1; it accepts text")]
    [InlineData("\"filesOnDisk\": true,", "", "has no 'filesOnDisk'")]
    [InlineData("\"filesOnDisk\": true", "\"filesOnDisk\": 1", "has 'filesOnDisk' 1; it accepts true or false")]
    [InlineData("\"checksum\": null,", "", "has no 'checksum'")]
    [InlineData("\"checksum\": null", "\"checksum\": \"md5\"", "has 'checksum' \"md5\"; it accepts null, CRC64NVME, CRC32C, CRC32, SHA1, SHA256, SHA512, XXHASH64, XXHASH3, XXHASH128, or MD5")]
    [InlineData("\"checksum\": null", "\"checksum\": \"NONE\"", "has 'checksum' \"NONE\"; it accepts null")]
    [InlineData("\"checksum\": null", "\"checksum\": 5", "has 'checksum' 5; it accepts null")]
    [InlineData("\"maxRepeatCount\": 10,", "", "has no 'maxRepeatCount'")]
    [InlineData("\"maxRepeatCount\": 10", "\"maxRepeatCount\": 0", "has 'maxRepeatCount' 0; it accepts a whole number from 1")]
    [InlineData("\"maxRepeatCount\": 10", "\"maxRepeatCount\": 1.5", "has 'maxRepeatCount' 1.5; it accepts a whole number from 1")]
    [InlineData("\"maxRepeatSecs\": 600,", "", "has no 'maxRepeatSecs'")]
    [InlineData("\"maxRepeatSecs\": 600", "\"maxRepeatSecs\": -1", "has 'maxRepeatSecs' -1; it accepts a number of seconds from 0")]
    [InlineData("\"maxRepeatSecs\": 600", "\"maxRepeatSecs\": \"600\"", "has 'maxRepeatSecs' \"600\"; it accepts a number of seconds from 0")]
    [InlineData("\"maxRepeatSecs\": 600", "\"maxRepeatSecs\": 600, \"warmUp\": true", "has an unknown field 'warmUp'; it accepts version, comment,")]
    [InlineData("\"action\": \"upload\"", "\"action\": \"copy\"", "has task 2: 'action' \"copy\"; it accepts upload or download")]
    [InlineData("\"action\": \"upload\"", "\"action\": null", "has task 2: 'action' null; it accepts upload or download")]
    [InlineData("\"action\": \"upload\", ", "", "has task 2: no 'action'; it needs action, key, and size")]
    [InlineData("\"key\": \"upload/b\", ", "", "has task 2: no 'key'")]
    [InlineData("\"key\": \"upload/b\"", "\"key\": \"\"", "has task 2: 'key' \"\"; it accepts a key of 1 to 1024 bytes")]
    [InlineData("\"key\": \"upload/b\"", "\"key\": 7", "has task 2: 'key' 7; it accepts a key of 1 to 1024 bytes")]
    [InlineData(", \"size\": 0", "", "has task 2: no 'size'")]
    [InlineData("\"size\": 0", "\"size\": -1", "has task 2: 'size' -1; it accepts a whole number of bytes from 0")]
    [InlineData("\"size\": 0", "\"size\": 0.5", "has task 2: 'size' 0.5; it accepts a whole number of bytes from 0")]
    [InlineData("\"size\": 0", "\"size\": 99999999999999999999", "it accepts a whole number of bytes from 0")]
    [InlineData("\"size\": 0", "\"size\": 0, \"range\": 1", "has task 2: an unknown field 'range'; it accepts action, key, and size")]
    [InlineData("upload/b", "download/a", "has task 2: 'download/a', which task 1 transfers in the other direction; it accepts one direction for each key")]
    [InlineData("\"action\": \"upload\", \"key\": \"upload/b\"", "\"action\": \"download\", \"key\": \"download/a\"", "has task 2: 'download/a' with 0 bytes, and task 1 has it with 262144; it accepts one size for each key")]
    [InlineData("{\"action\": \"upload\", \"key\": \"upload/b\", \"size\": 0}", "[]", "has task 2: []; it accepts a JSON object with action, key, and size")]
    public void Parse_Invalid_ErrorNamesWhatIsWrongAndWhatIsAccepted(string part, string replacement, string expected)
    {
        Assert.Contains(part, Valid, StringComparison.Ordinal);
        Assert.StartsWith("--workload got 'x', which ", Error(Valid.Replace(part, replacement, StringComparison.Ordinal)), StringComparison.Ordinal);
        Assert.Contains(expected, Error(Valid.Replace(part, replacement, StringComparison.Ordinal)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "is not valid JSON")]
    [InlineData("{\"version\": 2,}", "is not valid JSON")]
    [InlineData("[]", "is not a workload; it accepts a JSON object with version, comment,")]
    [InlineData("{\"action\": \"upload\", \"fileSize\": \"8MiB\"}", "is the source of a workload (.src.json); it accepts a .run.json file")]
    [InlineData("{\"version\": 1, \"method\": \"x\"}", "has version 1; it accepts version 2")]
    public void Parse_AnotherFile_ErrorSaysWhatItIs(string text, string expected) => Assert.Contains(expected, Error(text), StringComparison.Ordinal);

    [Theory]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("null")]
    public void Parse_NoTasks_IsRefused(string tasks)
        => Assert.Contains($"has 'tasks' {tasks}; it accepts an array with at least one task", Error(Valid[..Valid.IndexOf('[', StringComparison.Ordinal)] + tasks + "}"), StringComparison.Ordinal);

    [Fact]
    public void Parse_LongKeyAndLongValue_ErrorIsShort()
    {
        string key = new('k', 1025);
        Assert.InRange(Error(Valid.Replace("upload/b", key, StringComparison.Ordinal)).Length, 50, 200);
        Assert.Equal(1024, Parse(Valid.Replace("upload/b", key[1..], StringComparison.Ordinal)).Tasks[1].Key.Length);
    }

    [Fact]
    public void Read_File_IsNamedAsInOtherResults()
    {
        using TemporaryFolder folder = new();
        string path = folder.File("upload-64KiB-1_000x-ram.run.json");
        File.WriteAllText(path, Valid);

        Assert.Equal("upload-64KiB-1_000x-ram", WorkloadParser.Read(new GivenValue("--workload", path)).Name);
        Assert.Contains("can't be read", Assert.Throws<UsageException>(() => WorkloadParser.Read(new GivenValue("--workload", folder.File("missing")))).Message, StringComparison.Ordinal);
    }

    private static WorkloadFile Parse(string text) => WorkloadParser.Parse("--workload got 'x', which", "download-2x", text);

    private static string Error(string text) => Assert.Throws<UsageException>(() => Parse(text)).Message;
}
