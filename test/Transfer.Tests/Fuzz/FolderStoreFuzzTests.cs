using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Server;
using Transfer.S3.Server.Storage;
using Transfer.S3.Server.Storage.Folder;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Any content that an earlier server, a full disk, or a user may have left in the server's folder.</summary>
public sealed class FolderStoreFuzzTests : IDisposable
{
    private const string DataId = "0123456789abcdef0123456789abcdef";
    private const string UploadId = "u1";

    private const string BucketRecord = """{"schema":1,"created":"2026-01-01T00:00:00+00:00"}""";

    private const string ObjectRecord =
        """
        {"schema":1,"key":"a/b","eTag":"e","lastModified":"2026-01-01T00:00:00+00:00","attributes":{"contentType":"text/plain","userMetadata":[{"key":"a","value":"b"}],"tags":[]},
        "checksum":{"algorithm":"Crc32","type":"FullObject","value":"y/Q5Jg=="},"parts":[{"number":1,"size":9,"checksum":"y/Q5Jg=="}],
        "content":[{"file":"0123456789abcdef0123456789abcdef","offset":0,"length":9}]}
        """;

    private const string UploadRecord =
        """{"schema":1,"uploadId":"u1","key":"k","initiated":"2026-01-01T00:00:00+00:00","attributes":{"userMetadata":[],"tags":[]},"checksum":{"algorithm":"Crc32","type":"FullObject","isDeclared":true}}""";

    private const string PartRecord =
        """
        {"schema":1,"number":1,"eTag":"e","lastModified":"2026-01-01T00:00:00+00:00","checksums":[{"algorithm":"Crc32","value":"y/Q5Jg=="}],
        "content":[{"file":"0123456789abcdef0123456789abcdef","offset":0,"length":9}]}
        """;

    private static readonly string[] Words =
    [
        "null", "[]", "{}", "\"\"", "[null]", "{", "}", "[", "]", ",", ":", "\"../../outside\"", "\"0\"", "-1", "9223372036854775807", "\"schema\":2", "\"key\":null,", "\"content\":null,", "\"content\":[],",
        "\"Sha256\"", "\"Composite\"", "\"FullObject\"", "99", "\"file\":", "\"offset\":-9,", "\"length\":-1,", "\"number\":0,", "\"eTag\":null,", "\"attributes\":null,", "\"checksum\":null,", "\\u0000", "0001-01-01T00:00:00Z",
    ];

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public Task Load_AnyRecord_IsRestoredOrRejectedByName()
    {
        FolderLayout layout = new(_folder.File("store"));
        layout.Create();
        Directory.CreateDirectory(layout.Objects("bucket"));
        Directory.CreateDirectory(layout.Upload("bucket", UploadId));
        Directory.CreateDirectory(Path.GetDirectoryName(layout.DataFile(DataId))!);
        string outside = _folder.File("outside", [1]);
        (string Path, string Text)[] records =
        [
            (layout.BucketRecord("bucket"), BucketRecord),
            (layout.ObjectRecord("bucket", "a/b"), ObjectRecord),
            (layout.UploadRecord("bucket", UploadId), UploadRecord),
            (layout.PartRecord("bucket", UploadId, 1), PartRecord),
        ];
        foreach ((string path, string text) in records)
        {
            File.WriteAllText(path, text);
        }

        return Fuzzer.CheckAsync(
            random => random.GetItems(records, 1)[0] is var (path, text) ? (Path: path, Valid: text, Bytes: Mutation.Bytes(random, [text], Words)) : default,
            damage =>
            {
                File.WriteAllBytes(damage.Path, damage.Bytes);
                File.WriteAllBytes(layout.DataFile(DataId), "123456789"u8.ToArray());
                try
                {
                    Bucket bucket = Assert.Single(new FolderJournal(layout, new FolderBlobStore(layout, NullLogger.Instance)).Load(new ServerStatistics()));
                    foreach (KeyEntry entry in bucket.List(string.Empty, string.Empty, null, null, 1000).Page.Entries)
                    {
                        StoredObject value = bucket.Get(entry.Text);
                        Assert.InRange(value.Size, 0, 9 * 16);
                        Assert.NotNull(value.Checksum.ValueWithoutCount);
                        Assert.True(value.ETag.Length > 0 && value.Attributes.Tags.Count <= 10);
                    }
                }
                catch (InvalidDataException e)
                {
                    Assert.Contains(damage.Path, e.Message, StringComparison.Ordinal);
                }

                File.WriteAllText(damage.Path, damage.Valid);

                Assert.True(File.Exists(outside));
            });
    }

    [Fact]
    public Task Bucket_AnyBytes_IsARecordOrRejected() => ParseAsync(BucketRecord, RecordJson.Default.BucketRecord);

    [Fact]
    public Task Object_AnyBytes_IsARecordOrRejected() => ParseAsync(ObjectRecord, RecordJson.Default.ObjectRecord);

    [Fact]
    public Task Upload_AnyBytes_IsARecordOrRejected() => ParseAsync(UploadRecord, RecordJson.Default.UploadRecord);

    [Fact]
    public Task Part_AnyBytes_IsARecordOrRejected() => ParseAsync(PartRecord, RecordJson.Default.PartRecord);

    [Fact]
    public Task FileName_AnyKey_IsUnique() => Fuzzer.CheckAsync(
        random => (First: LocationFuzzTests.WellFormed("k" + Mutation.Noise(random)), Second: LocationFuzzTests.WellFormed("k" + Mutation.Noise(random))),
        keys =>
        {
            string name = FolderLayout.FileName(keys.First);
            Assert.Equal(keys.First == keys.Second, string.Equals(name, FolderLayout.FileName(keys.Second), StringComparison.OrdinalIgnoreCase));
            Assert.Equal(name, Path.GetFileName(name));
            Assert.All(name, c => Assert.True(char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '-' or '_' or '.' or '%' or '~'));
            Assert.False(name.StartsWith('.') || Encoding.UTF8.GetByteCount(name) > 250);
        });

    private static Task ParseAsync<T>(string valid, JsonTypeInfo<T> type, [CallerMemberName] string name = "")
        where T : class, IRecord => Fuzzer.BytesAsync(
            random => Mutation.Bytes(random, [valid], Words),
            bytes =>
            {
                try
                {
                    Assert.True(RecordFile.Parse(bytes, "path", type).IsSound());
                }
                catch (InvalidDataException e)
                {
                    Assert.Contains("path", e.Message, StringComparison.Ordinal);
                }
            },
            name: name);
}
