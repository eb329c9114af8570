using System.Text;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Any keys of a store. They must map to files below one folder and nowhere else.</summary>
public sealed class KeyPathFuzzTests
{
    private const string Root = "/target/folder";

    private static readonly string[] Keys = ["a", "a/b.txt", "a/b/", ".hidden/.x", "ü/日本.bin", "a..b/..c", "...", "con.txt/x"];
    private static readonly string[] Words = ["../", "/..", "./", "/", "\\", "C:", "c:", "NUL", "\0", "com1", "aux.", "%2e%2e", "\u001b", "\uFF0F", "\u2215", "\u2024\u2024"];

    [Fact]
    public Task Key_Accepted_MapsToAUniqueFileBelowTheFolder() => Fuzzer.TextAsync(
        random => Mutation.Text(random, Keys, Words),
        key =>
        {
            foreach ((bool isWindows, bool allowsSpecial) in new (bool, bool)[] { (false, false), (true, false), (false, true), (true, true) })
            {
                if (key.Length == 0 || !KeyPath.TrySplit(key, isWindows, allowsSpecial, out (string Folder, string Name) path, out string? reason))
                {
                    continue;
                }

                Assert.Null(reason);
                string relative = path.Folder.Length == 0 ? path.Name : $"{path.Folder}/{path.Name}";
                string full = Path.GetFullPath(relative, Root);

                Assert.Equal(key, relative);
                Assert.Equal($"{Root}/{key}", full);
                Assert.Equal(key, Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(relative))); // two keys never map to the same file
                Assert.All(key.TrimEnd('/').Split('/'), name => Assert.InRange(Encoding.UTF8.GetByteCount(name), 1, 255));
                Assert.DoesNotContain('\0', key);
                if (isWindows || !allowsSpecial)
                {
                    Assert.DoesNotContain(key, c => char.IsControl(c) || c == '\\');
                }
            }
        });

    [Fact]
    public Task Keys_AnyTwo_HaveTheOrderOfTheirBytes() => Fuzzer.CheckAsync(
        random => (First: LocationFuzzTests.WellFormed(Mutation.Text(random, Keys, "\uE000", "\U0001F600", "\U0010FFFF")), Second: LocationFuzzTests.WellFormed(Mutation.Text(random, Keys, "\uE000", "\U0001F601", "\uFFFD"))),
        keys => Assert.Equal(
            Math.Sign(Encoding.UTF8.GetBytes(keys.First).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(keys.Second))),
            Math.Sign(KeyOrder.Instance.Compare(keys.First, keys.Second))));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public Task Names_OfAListing_AreAcceptedUnlessTheyConflict(bool isCaseBlind) => Fuzzer.CheckAsync(
        random => Enumerable.Range(0, random.Next(1, 8)).Select(_ => string.Join('/', Enumerable.Range(0, random.Next(1, 4)).Select(_ => "abAB-"[random.Next(5)].ToString())))
            .Distinct().Order(KeyOrder.Instance).ToArray(),
        keys =>
        {
            PathConflictDetector names = new(isCaseBlind);
            StringComparison comparison = isCaseBlind ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
            List<string> files = [];
            foreach (string key in keys)
            {
                bool needsAFilesPlace = keys.Any(other => key.StartsWith(other + "/", StringComparison.Ordinal));
                bool isTaken = isCaseBlind && files.Exists(file => file.Equals(key, comparison));
                bool free = names.Take(key) is null;

                Assert.Equal(!needsAFilesPlace && !isTaken, free);
                if (!needsAFilesPlace)
                {
                    files.Add(key);
                }
            }
        });
}
