// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A token for test chains and the sandbox that behaves like USDT: a fee in basis points, a list of frozen senders, a pause, and
/// approvals that must be taken back before they change. Its heirs differ in what `transfer` answers.
abstract contract Token {
    string public constant name = "Test Dollar";
    string public constant symbol = "USDT";
    uint8 public immutable decimals;
    address public immutable owner;
    uint256 public totalSupply;
    bool public paused;
    uint256 public basisPointsRate;
    uint256 public maximumFee;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event DestroyedBlackFunds(address from, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor(uint8 digits) {
        decimals = digits;
        owner = msg.sender;
    }

    /// Makes tokens out of nothing. As with the original, no Transfer is logged for them.
    function issue(address to, uint256 value) external onlyOwner {
        balanceOf[to] += value;
        totalSupply += value;
    }

    function setParams(uint256 rate, uint256 feeMax) external onlyOwner {
        basisPointsRate = rate;
        maximumFee = feeMax;
    }

    function setPaused(bool isPaused) external onlyOwner {
        paused = isPaused;
    }

    function setBlackListed(address who, bool isListed) external onlyOwner {
        isBlackListed[who] = isListed;
    }

    function destroyBlackFunds(address who) external onlyOwner {
        require(isBlackListed[who], "not listed");
        uint256 value = balanceOf[who];
        balanceOf[who] = 0;
        totalSupply -= value;
        emit DestroyedBlackFunds(who, value);
    }

    function move(address from, address to, uint256 value) internal {
        require(!paused, "paused");
        // Only senders: a listed address can still receive.
        require(!isBlackListed[from], "listed");
        uint256 fee = (value * basisPointsRate) / 10000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        if (fee > 0) {
            balanceOf[owner] += fee;
            emit Transfer(from, owner, fee);
        }
        emit Transfer(from, to, value - fee);
    }

    function take(address from, address to, uint256 value) internal {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "not allowed");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
    }

    function allow(address spender, uint256 value) internal {
        require(value == 0 || allowance[msg.sender][spender] == 0, "take back first");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }
}

/// As on Ethereum: nothing is returned.
contract TestToken is Token {
    constructor(uint8 digits) Token(digits) {}

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        take(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        allow(spender, value);
    }
}

/// As on TRON: `transfer` moves the money and returns false.
contract TestTokenFalse is Token {
    constructor(uint8 digits) Token(digits) {}

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return false;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        take(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allow(spender, value);
        return true;
    }
}

/// Ways in which a transfer only seems to be one.
contract TestSpam {
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// A log like that of a token, from a contract that nobody listed.
    function pretend(address to, uint256 value) external {
        emit Transfer(msg.sender, to, value);
    }

    /// A call inside that moved money and was undone.
    function undo(address token, address to, uint256 value) external {
        try this.moveAndFail(token, to, value) {} catch {}
    }

    function moveAndFail(address token, address to, uint256 value) external {
        TestToken(token).transfer(to, value);
        revert("undone");
    }
}
