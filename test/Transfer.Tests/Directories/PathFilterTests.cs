using Transfer.S3.Trees;

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

    [Theory]
    [InlineData("logs", "logs logs/ logs/1 logs/2025/a x/logs x/logs/2 //logs/3")]
    [InlineData("logs/", "logs/ logs/1 logs/2025/a")]
    [InlineData("logs/*", "logs/ logs/1 logs/2025/a")]
    [InlineData("logs/**", "logs/ logs/1 logs/2025/a")]
    [InlineData("logs/**/*", "logs/ logs/1 logs/2025/a")]
    [InlineData("logs/*/", "logs/2025/a")]
    [InlineData("/logs", "logs logs/ logs/1 logs/2025/a")]
    [InlineData("./logs/", "logs/ logs/1 logs/2025/a")]
    [InlineData("//logs", "//logs/3")]
    [InlineData("**/logs/", "logs/ logs/1 logs/2025/a x/logs/2 //logs/3")]
    [InlineData("l*s/2*", "logs/2025/a")]
    [InlineData("logs*a", "")]
    [InlineData("*.*", "../up.a a.a")]
    [InlineData("..", "../up.a")]
    [InlineData("../*", "../up.a")]
    [InlineData("/", "logs logs/ logs/1 logs/2025/a x/logs x/logs/2 //logs/3 ../up.a a.a")]
    [InlineData("*", "logs logs/ logs/1 logs/2025/a x/logs x/logs/2 //logs/3 ../up.a a.a")]
    [InlineData("*/", "logs/ logs/1 logs/2025/a x/logs x/logs/2 //logs/3 ../up.a")]
    public void Pattern_ThatMatchesAFolder_SelectsEverythingInIt(string pattern, string selected)
    {
        string[] paths = Split("logs logs/ logs/1 logs/2025/a x/logs x/logs/2 //logs/3 ../up.a a.a");

        Assert.Equal(Split(selected), paths.Where(new PathFilter(new DirectoryOptions { Include = [pattern] }).Takes));
        Assert.Equal(paths.Except(Split(selected)), paths.Where(new PathFilter(new DirectoryOptions { Exclude = [pattern] }).Takes));
    }

    /// <summary>Random rules beside an oracle: what is taken, and that no directory is pruned in which something is taken.</summary>
    [Fact]
    public void RandomRules_AgreeWithTheOracle()
    {
        string[] patterns = ["*", "a", "b", "a*", "*b", "a/", "b/", "a/*", "a/b/", "**/b/", "a/**/b", "**/a/*", "ab", "a*b", "b/a*", "**", "a/**", "*/b", "/a", "./a/", "//", "..", "*/*/b", "**/a/**/b/**"];
        string[] names = ["a", "b", "ab", "c", string.Empty, "..", "."];
        string[] paths = [.. names, .. names.SelectMany(one => names.Select(other => $"{one}/{other}")), .. names.SelectMany(one => names.SelectMany(other => names.Select(third => $"{one}/{other}/{third}")))];
        string[] folders = [.. paths.Where(path => path.Count(letter => letter == '/') < 2).Select(path => path + "/")];
        Dictionary<string, HashSet<string>> oracle = patterns.ToDictionary(pattern => pattern, pattern => paths.Where(path => Selects(pattern, path)).ToHashSet());
        int pruned = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 2_000, quick: 500); seed++)
        {
#pragma warning disable CA5394 // a seeded test
            Random random = new(seed);
            FilterRule[] rules = [.. Enumerable.Range(0, random.Next(0, 5)).Select(_ => new FilterRule(patterns[random.Next(patterns.Length)], random.Next(2) == 0))];
#pragma warning restore CA5394
            PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { Rules = rules } });
            string text = $"seed {seed}: {string.Join(' ', rules.Select(rule => (rule.IsIncluded ? "+" : "-") + rule.Pattern))}";
            foreach (string path in paths)
            {
                bool expected = rules.LastOrDefault(rule => oracle[rule.Pattern].Contains(path))?.IsIncluded ?? (rules.Length == 0 || !rules[0].IsIncluded);
                Assert.True(expected == filter.Takes(path), $"{text}: {path}");
                Assert.True(filter.GetExcludedFolder(path) is not { } cut || (path.StartsWith(cut, StringComparison.Ordinal) && !expected), $"{text}: {path} is cut off");
            }

            foreach (string folder in folders.Where(filter.Prunes))
            {
                pruned++;
                Assert.False(paths.Any(path => path.StartsWith(folder, StringComparison.Ordinal) && filter.Takes(path)), $"{text}: {folder}");
            }
        }

        Assert.True(pruned > 1000);
    }

    /// <summary>A pattern protects keys whatever they look like, also those that aren't paths.</summary>
    [Fact]
    public void Keys_ThatArentPaths_AreMatchedLikeOthers()
    {
        string[] names = ["a", "b.keep", "c.keeper", ".keep", "keep", "d.KEEP", string.Empty, ".", "..", " ", "\\", "*.keep", "\uFFFD.keep"];
#pragma warning disable CA5394 // a seeded test
        Random random = new(1);
        for (int i = 0; i < 20_000; i++)
        {
            string[] parts = [.. Enumerable.Range(0, random.Next(1, 7)).Select(_ => names[random.Next(names.Length)])];
            string key = string.Join('/', parts);
            string folder = string.Join('/', Enumerable.Range(0, random.Next(1, 4)).Select(_ => names[random.Next(6)]));
#pragma warning restore CA5394
            bool isBelow = Array.Exists(parts[..^1], IsKept);

            foreach (string pattern in (string[])["*.keep", "**/*.keep"])
            {
                PathFilter including = new(new DirectoryOptions { Include = [pattern] });
                PathFilter excluding = new(new DirectoryOptions { Exclude = [pattern] });
                bool expected = isBelow || IsKept(parts[^1]);
                Assert.True(expected == including.Takes(key) && expected == !excluding.Takes(key), $"{pattern}: '{key}'");
                Assert.True(excluding.GetExcludedFolder(key) is null == !isBelow, $"{pattern}: '{key}' is cut off");
            }

            // aws s3 compares the whole path with DIR/*, whose star matches everything.
            PathFilter asAws = new(new DirectoryOptions { Exclude = [folder + "/*"] });
            Assert.True(!key.StartsWith(folder + "/", StringComparison.Ordinal) || !asAws.Takes(key), $"{folder}/*: '{key}'");
        }

        static bool IsKept(string name) => name.EndsWith(".keep", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b")]
    [InlineData("**/a*/**/a*/**/a*/**/a*/**/a*/**/a*/**/a*/**/a*/**/a*/**/a*/**/b")]
    [InlineData("**/**/**/**/**/**/**/**/**/**/**/**/**/**/**/**/**/**/**/b")]
    public async Task HostilePattern_EndsSoon(string pattern)
    {
        string[] keys = [new string('a', 1024), string.Join('/', Enumerable.Repeat("a", 512)), string.Join('/', Enumerable.Repeat(new string('a', 31), 32))];
        PathFilter filter = new(new DirectoryOptions { Include = [pattern] });

        await Task.Run(() => Assert.DoesNotContain(keys, filter.Takes)).Within();
        await Task.Run(() => Assert.All(keys, key => Assert.Null(filter.GetExcludedFolder(key)))).Within();
    }

    [Fact]
    public void Matching_AllocatesNothing()
    {
        PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { Rules = [new("a/**/*.log", false), new("*.tmp", false), new("x/*y*/", true)] } });
        Assert.True(Match());
        long before = GC.GetAllocatedBytesForCurrentThread();

        bool all = true;
        for (int i = 0; i < 1000; i++)
        {
            all &= Match();
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        Assert.True(all);

        bool Match() => !filter.Takes("a/b/c/d.log") & filter.Takes("x/syz/1.tmp") & filter.Takes("q") & !filter.Prunes("a/b/") & filter.Prunes("z.tmp/") & filter.GetExcludedFolder("q/r/s/t") is null;
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

        Assert.Equal(Split(taken), Sizes.Where(size => filter.Takes(new ListedObject { Key = "k", Length = size }, 0)).Select(size => $"{size}"));
    }

    [Fact]
    public void Times_BeginAtTheFirstAndEndBeforeTheSecond()
    {
        DateTimeOffset at = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
        PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { ModifiedSince = at, ModifiedBefore = at.AddHours(2) } });

        Assert.Equal([0, 1], Enumerable.Range(-1, 4).Where(hours => filter.Takes(new ListedObject { Key = "k", Length = 1, LastModified = at.AddHours(hours) }, 0)));
        Assert.False(filter.Takes(new ListedObject { Key = "k", Length = 1 }, 0));
        Assert.True(filter.TakesProperties(isFolder: false, 1, at));
    }

    [Fact]
    public void StorageClass_OfAnObjectWithoutOne_IsStandard()
    {
        PathFilter filter = new(new DirectoryOptions { Filter = new ObjectFilter { StorageClasses = ["glacier", "STANDARD"] } });

        Assert.True(filter.Takes(new ListedObject { Key = "k", Length = 1 }, 0));
        Assert.True(filter.Takes(new ListedObject { Key = "k", Length = 1, StorageClass = "GLACIER" }, 0));
        Assert.False(filter.Takes(new ListedObject { Key = "k", Length = 1, StorageClass = "DEEP_ARCHIVE" }, 0));
    }

    /// <summary>The rule as it is documented: a pattern selects what it matches, and everything below.</summary>
    private static bool Selects(string pattern, string path)
    {
        string[] names = path.Split('/');
        string full = pattern.EndsWith('/') || pattern.EndsWith("/**", StringComparison.Ordinal) ? pattern.TrimEnd('*')[..^1] + "/*" : pattern.Contains('/', StringComparison.Ordinal) ? pattern : "**/" + pattern;
        string[][] patterns = full.StartsWith('/') || full.StartsWith("./", StringComparison.Ordinal) ? [full.Split('/'), full.Split('/')[1..]] : [full.Split('/')];
        return patterns.Any(one => Enumerable.Range(1, names.Length).Any(count => Matches(one, names[..count])));
    }

    private static bool Matches(string[] pattern, string[] names) => pattern switch
    {
        [] => names.Length == 0,
        ["**", .. { } rest] => Enumerable.Range(0, names.Length + 1).Any(skipped => Matches(rest, names[skipped..]) && (rest.Length > 0 || names.Length > 0)),
        [{ } first, .. { } rest] => names.Length > 0 && IsMatch(first, names[0]) && Matches(rest, names[1..]),
    };

    private static bool IsMatch(string pattern, string name)
        => System.Text.RegularExpressions.Regex.IsMatch(name, $"^{System.Text.RegularExpressions.Regex.Escape(pattern).Replace(@"\*", ".*", StringComparison.Ordinal)}$", System.Text.RegularExpressions.RegexOptions.None, TimeSpan.FromSeconds(1));

    [Fact]
    public void IncludeHidden_False_SkipsNamesThatBeginWithADot()
    {
        PathFilter filter = new(new DirectoryOptions { IncludeHidden = false });

        Assert.Equal(["a.log", "a.txt", "x/a.log", "x/y/b.log", "logs/1", "x/logs/2", "empty/"], Paths.Where(filter.Takes));
    }

    private static string[] Split(string text) => text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
