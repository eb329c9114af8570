using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>Completes the names of buckets and keys, with the credentials and connection options of the command line. A shell waits for it, so it ends soon.</summary>
/// <param name="environment">The environment variables.</param>
/// <param name="time">The time.</param>
internal sealed class AddressCompletion(ToolEnvironment environment, TimeProvider time)
{
    private const string Scheme = "s3://";
    private const string Delimiter = "/";

    /// <summary>The number of names to offer. A shell asks before it shows more.</summary>
    private const int MaxNames = 200;

    /// <summary>The variable for stores that take longer. A wrong value is ignored, because a message would appear in the middle of the command line.</summary>
    private const string TimeoutVariable = "TRANSFER_COMPLETION_TIMEOUT";

    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan MaxTimeout = TimeSpan.FromMinutes(1);

    /// <summary>Gets the time after which the shell gets nothing.</summary>
    internal TimeSpan Timeout { get; } = environment.Get(TimeoutVariable) is { } text && DurationText.TryParseWithSeconds(text, out TimeSpan given) && given > TimeSpan.Zero && given <= MaxTimeout
        ? given
        : DefaultTimeout;

    /// <summary>Gets whether a word is the beginning of an address in a store.</summary>
    public static bool IsAddress(string word) => word.StartsWith(Scheme, StringComparison.Ordinal);

    /// <summary>Gets the addresses that begin with a word; none after an error or the timeout.</summary>
    /// <param name="words">The words of the command line before it.</param>
    /// <param name="word">The word.</param>
    public async Task<IReadOnlyList<string>> CompleteAsync(IReadOnlyList<string> words, string word)
    {
        using CancellationTokenSource stop = new(Timeout, time);
        Task<IReadOnlyList<string>> found = Task.Run(() => FindAsync(words, word, stop.Token));
        try
        {
            // What doesn't end when it is canceled, such as a provider of credentials, is abandoned.
            return await found.WaitAsync(Timeout, time).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // a message would appear in the middle of the command line
        catch (Exception)
#pragma warning restore CA1031
        {
            return [];
        }
    }

    /// <summary>Gets whether a shell can insert a name as it is. A key such as <c>$(reboot)</c> would be run.</summary>
    internal static bool IsPlain(string name) => name.All(letter => char.IsLetterOrDigit(letter) || letter is '/' or '.' or '-' or '_' or '+' or '=' or '@' or '%' or ':' or ',');

    private async Task<IReadOnlyList<string>> FindAsync(IReadOnlyList<string> words, string word, CancellationToken cancellationToken)
    {
        RootCommand root = [];
        ConnectionOptions options = new();
        foreach (Option option in options.All)
        {
            root.Add(option);
        }

        root.TreatUnmatchedTokensAsErrors = false;
        ConnectionSettings settings = ConnectionSettings.Resolve(new OptionValues(root.Parse([.. words]), environment), options, AwsProfiles.Find);
        using Connection connection = await Connection.OpenAsync(settings, static _ => null, cancellationToken).ConfigureAwait(false);
        TransferClient client = connection.CreateClient(new ClientLimits().ToClientOptions());
        await using (client.ConfigureAwait(false))
        {
            string rest = word[Scheme.Length..];
            int slash = rest.IndexOf('/', StringComparison.Ordinal);
            IAsyncEnumerable<string> names = slash < 0
                ? client.ListBucketsAsync(cancellationToken).Select(static bucket => $"{Scheme}{bucket.Name}/")
                : client.ListObjectsAsync(rest[..slash], rest[(slash + 1)..], new ListObjectsOptions { Delimiter = Delimiter }, cancellationToken).Select(item => $"{Scheme}{rest[..slash]}/{item.Key}");
            return await names.Where(name => name.StartsWith(word, StringComparison.Ordinal) && IsPlain(name)).Take(MaxNames).ToListAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
