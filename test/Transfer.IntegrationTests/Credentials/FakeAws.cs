using System.Globalization;
using System.Text;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Credentials;

/// <summary>
/// The services that issue credentials, on one socket: the token service, single sign-on, the container, and the instance metadata. A store accepts what they
/// issue until it expires.
/// </summary>
internal sealed class FakeAws : IAsyncDisposable
{
    public const string Account = "123456789012";
    public const string ContainerToken = "container-token";
    public const string WebToken = "web-identity-token";
    public const string SsoToken = "sso-access-token";
    public const string RefreshToken = "sso-refresh-token";
    private readonly EmbeddedS3Server _store;
    private readonly TimeProvider _time;
    private readonly ScriptedServer _server;
    private int _issued;

    public FakeAws(EmbeddedS3Server store, TimeProvider? time = null)
    {
        _store = store;
        _time = time ?? TimeProvider.System;
        _server = new ScriptedServer(Answer);
    }

    public string Url => _server.Url;

    /// <summary>Gets or sets how long issued credentials are valid.</summary>
    public TimeSpan Lifetime { get; set; } = TimeSpan.FromHours(1);

    /// <summary>Gets the number of credentials that were issued.</summary>
    public int Issued => Volatile.Read(ref _issued);

    public IReadOnlyList<ScriptedRequest> Requests => _server.Requests;

    /// <summary>Gets the requests to the token service as forms.</summary>
    public IReadOnlyList<string> Forms => [.. Requests.Where(request => request.Method == "POST" && request.Target == "/").Select(request => Uri.UnescapeDataString(Encoding.UTF8.GetString(request.Body)))];

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private ScriptedAnswer Answer(ScriptedRequest request) => (request.Method, request.Target.Split('?')[0]) switch
    {
        ("POST", "/") => AnswerSts(request),
        ("PUT", "/latest/api/token") => Plain("imds-token"),
        ("GET", "/latest/meta-data/iam/security-credentials" or "/latest/meta-data/iam/security-credentials/") => Authorized(request, "x-aws-ec2-metadata-token", "imds-token", "node-role"),
        ("GET", "/latest/meta-data/iam/security-credentials/node-role") => Authorized(request, "x-aws-ec2-metadata-token", "imds-token", Json()),
        ("GET", "/container") => Authorized(request, "Authorization", ContainerToken, Json()),
        ("GET", "/federation/credentials") when request.Header("x-amz-sso_bearer_token") == SsoToken => Plain($$"""{"roleCredentials":{{SsoJson()}}}""", "application/json"),
        ("GET", "/federation/credentials") => ScriptedAnswer.Text(
            "HTTP/1.1 401 Unauthorized\r\nx-amzn-ErrorType: UnauthorizedException\r\nContent-Type: application/json", """{"message":"Session token not found or invalid"}"""),
        ("POST", "/token") when Encoding.UTF8.GetString(request.Body).Contains(RefreshToken, StringComparison.Ordinal) => Plain(
            $$"""{"accessToken":"{{SsoToken}}","expiresIn":3600,"tokenType":"Bearer","refreshToken":"{{RefreshToken}}"}""", "application/json"),
        _ => ScriptedAnswer.Text("HTTP/1.1 404 Not Found", string.Empty),
    };

    private ScriptedAnswer AnswerSts(ScriptedRequest request)
    {
        string form = Uri.UnescapeDataString(Encoding.UTF8.GetString(request.Body));
        string action = Field(form, "Action");
        string role = Field(form, "RoleArn");
        if (action == "GetCallerIdentity")
        {
            return Xml(action, $"<Arn>arn:aws:iam::{Account}:user/someone</Arn><UserId>U</UserId><Account>{Account}</Account>");
        }

        if (role.EndsWith("/denied", StringComparison.Ordinal)
            || (action == "AssumeRoleWithWebIdentity" && Field(form, "WebIdentityToken") != WebToken)
            || (role.EndsWith("/mfa", StringComparison.Ordinal) && Field(form, "TokenCode") != "123456"))
        {
            return ScriptedAnswer.Text(
                "HTTP/1.1 403 Forbidden\r\nContent-Type: text/xml",
                $"<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not authorized to assume {role}</Message></Error><RequestId>R1</RequestId></ErrorResponse>");
        }

        (string id, string secret, string token, DateTimeOffset expires) = Issue();
        return Xml(action, $"""
            <AssumedRoleUser><Arn>{role.Replace(":iam:", ":sts:", StringComparison.Ordinal).Replace(":role/", ":assumed-role/", StringComparison.Ordinal)}/s</Arn><AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser>
            <Credentials><AccessKeyId>{id}</AccessKeyId><SecretAccessKey>{secret}</SecretAccessKey><SessionToken>{token}</SessionToken><Expiration>{Text(expires)}</Expiration></Credentials>
            """);
    }

    private string Json()
    {
        (string id, string secret, string token, DateTimeOffset expires) = Issue();
        return $$"""{"Code":"Success","Type":"AWS-HMAC","AccessKeyId":"{{id}}","SecretAccessKey":"{{secret}}","Token":"{{token}}","Expiration":"{{Text(expires)}}"}""";
    }

    private string SsoJson()
    {
        (string id, string secret, string token, DateTimeOffset expires) = Issue();
        return $$"""{"accessKeyId":"{{id}}","secretAccessKey":"{{secret}}","sessionToken":"{{token}}","expiration":{{expires.ToUnixTimeMilliseconds()}}}""";
    }

    private (string Id, string Secret, string Token, DateTimeOffset Expires) Issue()
    {
        int number = Interlocked.Increment(ref _issued);
        (string id, string secret, string token) = ($"ASIAISSUED{number:0000}", $"secret-{number}", $"session-token-{number}");
        DateTimeOffset expires = _time.GetUtcNow() + Lifetime;
        _store.AddTemporaryCredentials(id, secret, token, expires);
        return (id, secret, token, expires);
    }

    private static ScriptedAnswer Authorized(ScriptedRequest request, string header, string expected, string answer)
        => request.Header(header) == expected ? Plain(answer) : ScriptedAnswer.Text("HTTP/1.1 401 Unauthorized", string.Empty);

    private static ScriptedAnswer Plain(string text, string type = "text/plain") => ScriptedAnswer.Text($"HTTP/1.1 200 OK\r\nContent-Type: {type}", text);

    private static ScriptedAnswer Xml(string action, string result) => ScriptedAnswer.Text(
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml",
        $"""<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{action}Result>{result}</{action}Result><ResponseMetadata><RequestId>R1</RequestId></ResponseMetadata></{action}Response>""");

    private static string Field(string form, string name)
        => form.Split('&').Select(field => field.Split('=', 2)).FirstOrDefault(field => field[0] == name)?[1] ?? string.Empty;

    private static string Text(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture);
}
