using System.Data.Common;
using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Transfer.S3.Aspire;

/// <summary>Reads settings from configuration and connection strings. The general binder uses reflection, which doesn't work with trimming, and ignores misspelled keys.</summary>
internal static class SettingsReader
{
    private delegate bool Setter(TransferClientSettings settings, string text);

    private static readonly Dictionary<string, Setter> Setters = new(StringComparer.OrdinalIgnoreCase)
    {
        [nameof(TransferClientSettings.Endpoint)] = SetEndpoint,
        [nameof(TransferClientSettings.AccessKeyId)] = Text((settings, text) => settings.AccessKeyId = text),
        [nameof(TransferClientSettings.SecretAccessKey)] = Text((settings, text) => settings.SecretAccessKey = text),
        [nameof(TransferClientSettings.Region)] = Text((settings, text) => settings.Region = text),
        [nameof(TransferClientSettings.ForcePathStyle)] = Flag((settings, flag) => settings.ForcePathStyle = flag),
        [nameof(TransferClientSettings.HealthCheckBucket)] = Text((settings, text) => settings.HealthCheckBucket = text),
        [nameof(TransferClientSettings.HealthCheckTimeout)] = SetHealthCheckTimeout,
        [nameof(TransferClientSettings.DisableHealthChecks)] = Flag((settings, flag) => settings.DisableHealthChecks = flag),
        [nameof(TransferClientSettings.DisableTracing)] = Flag((settings, flag) => settings.DisableTracing = flag),
        [nameof(TransferClientSettings.TraceRequests)] = Flag((settings, flag) => settings.TraceRequests = flag),
        [nameof(TransferClientSettings.DisableMetrics)] = Flag((settings, flag) => settings.DisableMetrics = flag),
        [nameof(TransferClientSettings.DisableLogging)] = Flag((settings, flag) => settings.DisableLogging = flag),
    };

    /// <summary>What a connection string can contain. Those of MinIO have the shorter names.</summary>
    private static readonly Dictionary<string, string> ConnectionKeys = new(StringComparer.OrdinalIgnoreCase)
    {
        [nameof(TransferClientSettings.Endpoint)] = nameof(TransferClientSettings.Endpoint),
        [nameof(TransferClientSettings.AccessKeyId)] = nameof(TransferClientSettings.AccessKeyId),
        ["AccessKey"] = nameof(TransferClientSettings.AccessKeyId),
        [nameof(TransferClientSettings.SecretAccessKey)] = nameof(TransferClientSettings.SecretAccessKey),
        ["SecretKey"] = nameof(TransferClientSettings.SecretAccessKey),
        [nameof(TransferClientSettings.Region)] = nameof(TransferClientSettings.Region),
        [nameof(TransferClientSettings.ForcePathStyle)] = nameof(TransferClientSettings.ForcePathStyle),
    };

    /// <param name="section">The section. What is a section in it belongs to others.</param>
    /// <param name="settings">Receives the values.</param>
    /// <exception cref="InvalidOperationException">Thrown when a value can't be parsed, or when a key isn't a setting.</exception>
    public static void Read(IConfigurationSection section, TransferClientSettings settings)
    {
        foreach (IConfigurationSection child in section.GetChildren())
        {
            if (child.Value is not { Length: > 0 } text)
            {
                continue;
            }

            if (!Setters.TryGetValue(child.Key, out Setter? set))
            {
                throw new InvalidOperationException($"{child.Path} is not a setting. The settings are {string.Join(", ", Setters.Keys)}. The options of the client are in the section {section.Path}:Options.");
            }

            if (!set(settings, text.Trim()))
            {
                throw new InvalidOperationException($"The value of {child.Path} is invalid. See {nameof(TransferClientSettings)}.{child.Key}.");
            }
        }
    }

    /// <summary>Reads a connection string, which is the URL of the store, or pairs such as <c>Endpoint=http://localhost:9000;AccessKeyId=id;SecretAccessKey=secret</c>.</summary>
    /// <param name="name">The name of the connection.</param>
    /// <param name="text">The connection string. It contains a secret, so no error contains it.</param>
    /// <param name="settings">Receives the values.</param>
    /// <exception cref="InvalidOperationException">Thrown when the connection string can't be parsed.</exception>
    public static void ReadConnectionString(string name, string text, TransferClientSettings settings)
    {
        if (SetEndpoint(settings, text.Trim()))
        {
            return;
        }

        DbConnectionStringBuilder pairs = new();
        try
        {
            pairs.ConnectionString = text;
        }
        catch (ArgumentException)
        {
            throw Invalid("neither a URL nor pairs of a key and a value"); // the message of the exception would contain a part of the connection string
        }

        foreach (string key in pairs.Keys)
        {
            if (!ConnectionKeys.TryGetValue(key, out string? setting))
            {
                throw Invalid($"the key '{key}' is unknown. The keys are {string.Join(", ", ConnectionKeys.Keys)}");
            }

            if (pairs[key] is string { Length: > 0 } value && !Setters[setting](settings, value))
            {
                throw Invalid($"the value of '{key}' is invalid");
            }
        }

        InvalidOperationException Invalid(string why) => new($"The connection string '{name}' is invalid: {why}. Check ConnectionStrings:{name}.");
    }

    private static Setter Text(Action<TransferClientSettings, string> set) => (settings, text) =>
    {
        set(settings, text);
        return true;
    };

    private static Setter Flag(Action<TransferClientSettings, bool> set) => (settings, text) =>
    {
        bool isFlag = bool.TryParse(text, out bool flag);
        if (isFlag)
        {
            set(settings, flag);
        }

        return isFlag;
    };

    /// <summary>Sets the address. One with user information is refused: it isn't what signs requests, and it would be a secret in logs.</summary>
    private static bool SetEndpoint(TransferClientSettings settings, string text)
    {
        bool isAddress = Uri.TryCreate(text, UriKind.Absolute, out Uri? address)
            && (address.Scheme == Uri.UriSchemeHttp || address.Scheme == Uri.UriSchemeHttps)
            && address.UserInfo.Length == 0;
        settings.Endpoint = isAddress ? address : settings.Endpoint;
        return isAddress;
    }

    private static bool SetHealthCheckTimeout(TransferClientSettings settings, string text)
    {
        bool isTime = TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time);
        settings.HealthCheckTimeout = isTime ? time : settings.HealthCheckTimeout;
        return isTime;
    }
}
