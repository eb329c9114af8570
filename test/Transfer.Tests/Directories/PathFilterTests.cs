using Transfer.S3.Directories;

namespace Transfer.S3.Tests.Directories;

/// <summary>Which paths a filter selects.</summary>
public class PathFilterTests
{
    private static readonly string[] Paths = ["a.log", "a.txt", "x/a.log", "x/y/b.log", "x/y/.z/c.log", ".h", "logs/1", "x/logs/2", "empty/"];
    private static readonly int[] Sizes = [9, 10, 15, 20, 21];

    [Theory]
    [InlineData("", "", "a.log a.txt x/a.log x/y/b.log x/y/.z/c.log .h logs/1 x/logs/2 empty/")]
    [InlineData("*.log", "", "a.log x/a.log x/y/b.log x/y/.z/c.log")]
    [InlineData("x/*.log", "", "x/a.log")]
    [InlineData("x/**/*.log", "", "x/a.log x/y/b.log x/y/.z/c.log")]
    [InlineData("x/", "", "x/a.log x/y/b.log x/y/.z/c.log x/logs/2")]
    [InlineData("", "*.log", "a.txt .h logs/1 x/logs/2 empty/")]
    [InlineData("x/", "x/y/", "x/a.log x/logs/2")]
    [InlineData("*.log *.txt", "x/**", "a.log a.txt")]
    [InlineData("A.LOG", "", "")]
    [InlineData("logs/", "", "logs/1")]
    [InlineData("**/logs/", "", "logs/1 x/logs/2")]
    [InlineData("empty", "", "empty/")]
    public void Takes_IncludedAndNotExcluded_IsTrue(string include, string exclude, string taken)
    {
        PathFilter filter = new(new DirectoryOptions { Include = Split(include), Exclude = Split(exclude) });

        Assert.Equal(Split(taken), Paths.Where(filter.Takes));
    }

    [Theory]
    [InlineData("-* +*.log", "a.log x/a.log x/y/b.log x/y/.z/c.log")]
    [InlineData("+*.log -*", "")]
    [InlineData("-x/ +*.log", "a.log a.txt x/a.log x/y/b.log x/y/.z/c.log .h logs/1 empty/")]
    [InlineData("+*.log -x/ +x/y/", "a.log x/y/b.log x/y/.z/c.log")]
    [InlineData("-*.log -*.txt", ".h logs/1 x/logs/2 empty/")]
    public void Rules_LastMatchDecides(string rules, string taken)
    {
        PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { Rules = [.. Split(rules).Select(rule => new FilterRule(rule[1..], rule[0] == '+'))] } });

        Assert.Equal(Split(taken), Paths.Where(filter.Takes));
    }

    /// <summary>Random rules beside an oracle of regular expressions: what is taken, and that no directory is pruned in which something is taken.</summary>
    [Fact]
    public void RandomRules_AgreeWithTheOracle()
    {
        string[] patterns = ["*", "a", "b", "a*", "*b", "a/", "b/", "a/*", "a/b/", "**/b/", "a/**/b", "**/a/*", "ab", "a*b", "b/a*", "**", "a/**"];
        string[] names = ["a", "b", "ab", "aab", "c"];
        string[] paths = [.. names, .. names.SelectMany(one => names.Select(other => $"{one}/{other}")), .. names.SelectMany(one => names.SelectMany(other => names.Select(third => $"{one}/{other}/{third}")))];
        string[] folders = [.. paths.Where(path => path.Count(letter => letter == '/') < 2).Select(path => path + "/")];
        int pruned = 0;
        for (int seed = 0; seed < 2_000; seed++)
        {
#pragma warning disable CA5394 // a seeded test
            Random random = new(seed);
            FilterRule[] rules = [.. Enumerable.Range(0, random.Next(0, 5)).Select(_ => new FilterRule(patterns[random.Next(patterns.Length)], random.Next(2) == 0))];
#pragma warning restore CA5394
            PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { Rules = rules } });
            string text = $"seed {seed}: {string.Join(' ', rules.Select(rule => (rule.IsIncluded ? "+" : "-") + rule.Pattern))}";
            foreach (string path in paths)
            {
                bool expected = rules.LastOrDefault(rule => Oracle(rule.Pattern).IsMatch(path))?.IsIncluded ?? (rules.Length == 0 || !rules[0].IsIncluded);
                Assert.True(expected == filter.Takes(path), $"{text}: {path}");
            }

            foreach (string folder in folders.Where(filter.Prunes))
            {
                pruned++;
                Assert.False(paths.Any(path => path.StartsWith(folder, StringComparison.Ordinal) && filter.Takes(path)), $"{text}: {folder}");
            }
        }

        Assert.True(pruned > 1000);
    }

    [Theory]
    [InlineData("-a/", "a/ a/b/ a/c/")]
    [InlineData("-a/ +a/b/", "a/c/")]
    [InlineData("-*", "a/ a/b/ a/c/ b/")]
    [InlineData("+a/*.log", "a/b/ a/c/ b/")]
    [InlineData("+*.log", "")]
    [InlineData("-*.log", "")]
    [InlineData("-**/b/", "a/b/ b/")]
    public void Prunes_OnlyFoldersWithoutASelectedPath(string rules, string pruned)
    {
        PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { Rules = [.. Split(rules).Select(rule => new FilterRule(rule[1..], rule[0] == '+'))] } });

        Assert.Equal(Split(pruned), Split("a/ a/b/ a/c/ b/").Where(filter.Prunes));
    }

    [Theory]
    [InlineData(10, 20, "10 15 20")]
    [InlineData(null, 9, "9")]
    [InlineData(21, null, "21")]
    public void Sizes_AreInclusive(int? min, int? max, string taken)
    {
        PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { MinSizeBytes = min, MaxSizeBytes = max } });

        Assert.Equal(Split(taken), Sizes.Where(size => filter.Takes("k", new ListedObject { Key = "k", Length = size })).Select(size => $"{size}"));
    }

    [Fact]
    public void Times_BeginAtTheFirstAndEndBeforeTheSecond()
    {
        DateTimeOffset at = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
        PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { ModifiedSince = at, ModifiedBefore = at.AddHours(2) } });

        Assert.Equal([0, 1], Enumerable.Range(-1, 4).Where(hours => filter.Takes("k", new ListedObject { Key = "k", Length = 1, LastModified = at.AddHours(hours) })));
        Assert.False(filter.Takes("k", new ListedObject { Key = "k", Length = 1 }));
        Assert.True(filter.Takes(new LocalFile("/k", "k", 1) { LastModified = at }));
    }

    [Fact]
    public void StorageClass_OfAnObjectWithoutOne_IsStandard()
    {
        PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { StorageClasses = ["glacier", "STANDARD"] } });

        Assert.True(filter.Takes("k", new ListedObject { Key = "k", Length = 1 }));
        Assert.True(filter.Takes("k", new ListedObject { Key = "k", Length = 1, StorageClass = "GLACIER" }));
        Assert.False(filter.Takes("k", new ListedObject { Key = "k", Length = 1, StorageClass = "DEEP_ARCHIVE" }));
    }

    private static System.Text.RegularExpressions.Regex Oracle(string pattern)
    {
        string full = pattern.EndsWith('/') ? pattern + "**" : pattern.Contains('/', StringComparison.Ordinal) ? pattern : "**/" + pattern;
        string text = full.Replace("**/", "<", StringComparison.Ordinal).Replace("**", ">", StringComparison.Ordinal).Replace("*", "[^/]*", StringComparison.Ordinal)
            .Replace("<", "(.*/)?", StringComparison.Ordinal).Replace(">", ".+", StringComparison.Ordinal);
        return new System.Text.RegularExpressions.Regex($"^{text}$", System.Text.RegularExpressions.RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1));
    }

    [Fact]
    public void IncludeHidden_False_SkipsNamesThatBeginWithADot()
    {
        PathFilter filter = new(new DirectoryOptions { IncludeHidden = false });

        Assert.Equal(["a.log", "a.txt", "x/a.log", "x/y/b.log", "logs/1", "x/logs/2", "empty/"], Paths.Where(filter.Takes));
    }

    private static string[] Split(string text) => text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
