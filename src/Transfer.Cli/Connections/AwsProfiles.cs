using Amazon;
using Amazon.Runtime.CredentialManagement;
using Amazon.S3;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Connections;

/// <summary>Reads the shared AWS configuration and credentials files with the AWS SDK.</summary>
internal static class AwsProfiles
{
    /// <summary>Gets the values of a profile; null if there is no such profile.</summary>
    public static ProfileValues? Find(string name)
    {
        try
        {
            return new CredentialProfileStoreChain().TryGetProfile(name, out CredentialProfile profile)
                ? new ProfileValues(profile.Region?.SystemName, profile.IgnoreConfiguredEndpointUrls == true ? null : GetEndpoint(profile), profile.RequestChecksumCalculation, profile.ResponseChecksumValidation)
                {
                    CaBundle = FindText(name, "ca_bundle"),
                }
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or InvalidDataException or Amazon.Runtime.AmazonClientException)
        {
            throw new UsageException(DescribeInvalidLine(e.Message) ?? $"the AWS configuration files can't be read ({ConfigFile} and {CredentialsFile}): {Printable.Line(e.Message)}", e);
        }
    }

    /// <summary>Gets the names of all profiles, for completion; none if the files can't be read.</summary>
    public static IReadOnlyList<string> Names()
    {
        try
        {
            return [.. new CredentialProfileStoreChain().ListProfiles().Select(profile => profile.Name).Distinct(StringComparer.Ordinal)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or InvalidDataException or Amazon.Runtime.AmazonClientException)
        {
            return [];
        }
    }

    /// <summary>Gets what is wrong with a configuration file that is there and not used, as the end of a message; empty if nothing is.</summary>
    public static string DescribeUnused()
    {
        if (Directory.Exists(CredentialsFile) || Directory.Exists(ConfigFile))
        {
            return $"; {(Directory.Exists(CredentialsFile) ? CredentialsFile : ConfigFile)} is a directory instead of a file";
        }

        try
        {
            string? first = File.Exists(CredentialsFile) ? File.ReadLines(CredentialsFile).Select(static line => line.Trim()).FirstOrDefault(static line => line.Length > 0 && line[0] is not ('#' or ';')) : null;
            return first is null || first[0] == '[' ? string.Empty : $"; {CredentialsFile} has no section such as [default] before its first value, which is therefore not used";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return $"; {CredentialsFile} can't be read: {Printable.Line(e.Message)}";
        }
    }

    /// <summary>Gets a value of a profile that the SDK doesn't read; null if there is none.</summary>
    /// <exception cref="IOException">Thrown when a file can't be read.</exception>
    private static string? FindText(string profile, string name)
        => FindText(ConfigFile, section => section == profile || section.Split((char[]?)null, 2, StringSplitOptions.RemoveEmptyEntries) is ["profile", var named] && named == profile, name)
            ?? FindText(CredentialsFile, section => section == profile, name);

    private static string? FindText(string file, Func<string, bool> isSection, string name)
    {
        if (!File.Exists(file))
        {
            return null;
        }

        bool isInside = false;
        foreach (string line in File.ReadLines(file).Select(static line => line.TrimEnd()))
        {
            if (line is ['[', .., ']'])
            {
                isInside = isSection(line[1..^1].Trim());
            }
            else if (isInside && line.Split('=', 2) is [var key, var value] && key.TrimEnd() == name && value.Trim() is { Length: > 0 } text)
            {
                return text; // a line that begins with white space belongs to another value
            }
        }

        return null;
    }

    /// <summary>Describes an invalid line without its content, which can be a secret and is in the message of the SDK; null if the message is another one.</summary>
    private static string? DescribeInvalidLine(string message)
    {
        const string start = "Line ", separator = "> in file ", end = " does not contain a section";
        int colon = message.IndexOf(':', StringComparison.Ordinal);
        int file = message.LastIndexOf(separator, StringComparison.Ordinal) + separator.Length;
        int close = message.LastIndexOf(end, StringComparison.Ordinal);
        return message.StartsWith(start, StringComparison.Ordinal) && colon > start.Length && file > colon && close > file
            ? $"line {message[start.Length..colon]} of {Printable.Line(message[file..close])} is not valid; a line of an AWS configuration file is a section such as [default], a value such as region = us-east-1, or a comment that begins with #"
            : null;
    }

    private static string ConfigFile => GetFile("AWS_CONFIG_FILE", "config");

    private static string CredentialsFile => GetFile("AWS_SHARED_CREDENTIALS_FILE", "credentials");

    private static string GetFile(string variable, string name) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } path
        ? path
        : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".aws", name);

    // The SDK finds the endpoint in the services section. It also reads the environment, which the caller reads first.
    private static string? GetEndpoint(CredentialProfile profile)
        => string.IsNullOrEmpty(profile.Services) ? profile.EndpointUrl : new AmazonS3Config { Profile = new Profile(profile.Name) }.ServiceURL ?? profile.EndpointUrl;
}
